package io.sealbook.node;

import io.sealbook.archive.Block;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.repair.ArchiveRepair;
import io.sealbook.node.repair.RepairJudge;
import io.sealbook.node.restart.StartUp;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.BlockSignatures;
import io.sealbook.node.transfer.CertificateChecker;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Opens the package-private parts of a node to the simulator's tests: cores of which one part is wrong. */
public final class PlantedCore {
    private final NodeSetup setup;
    private final NodeFiles files;
    private final NodePorts ports;

    public PlantedCore(NodeSetup setup, NodeFiles files, NodePorts ports) {
        this.setup = setup;
        this.files = files;
        this.ports = ports;
    }

    /** Returns a core whose replica is another one. */
    public NodeCore withReplica(BiFunction<ReplicaConfig, MessageSigner, Replica> replica) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            Replica newReplica(AgreementEpoch epoch) {
                return replica.apply(setup.replica(epoch), setup.signer());
            }
        });
    }

    /** Returns a core that does not take some records of its log back at a restart. */
    public NodeCore forgetting(Predicate<ReplicaRecord> forgotten) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            List<ReplicaRecord> records() {
                return super.records().stream().filter(forgotten.negate()).toList();
            }
        });
    }

    /**
     * Returns a core that learns at a restart of no number that its blocks hold, neither at its door nor in agreement.
     */
    public NodeCore withoutNumbersOfBlocks() {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            void restoreHeads(Sessions sessions) {
                // Forgotten.
            }

            @Override
            StartUp.Window window(Sessions sessions, CommittedBlocks blocks) {
                StartUp.Window window = super.window(new Sessions(), blocks);
                return new StartUp.Window(
                        window.transferred().stream()
                                .map(block ->
                                        new Input.BlockTransferred(block.sequence(), block.proposalDigest(), List.of()))
                                .toList(),
                        window.batchCount(),
                        window.orderCount());
            }
        });
    }

    /** Returns a core that begins with the genesis file at each restart, whatever its blocks have changed. */
    public NodeCore withoutTransactionsOfBlocks() {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            ChainMembership membership() {
                return new ChainMembership(setup.genesis().genesis(), ports.events()::administered);
            }
        });
    }

    /** Returns a core that finds no batch in its blocks, as if it looked among the payloads only. */
    public NodeCore withoutBatchesOfBlocks() {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            CommittedBlocks blocks() {
                return new CommittedBlocks(files.archive(), decoding(), 1, 0);
            }

            @Override
            Committer committer(CommitContext context, StateTransfer transfer, ArchiveRepair repair) {
                return new Committer(context, transfer, repair);
            }
        });
    }

    /** Returns a core whose store is seen by the caller, who may empty it. */
    public NodeCore withStore(Consumer<PayloadStore> store) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            PayloadStore payloads(AgreementEpoch epoch) {
                PayloadStore made = super.payloads(epoch);
                store.accept(made);
                return made;
            }
        });
    }

    /** Returns a core that has the certificates of transferred blocks verified by another verifier. */
    public NodeCore withCertificatesVerifiedBy(SignatureVerifier verifier) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            CertificateChecker certificates(AgreementEpoch epoch) {
                return new CertificateChecker(epoch.terms(), verifier);
            }
        });
    }

    /** Returns a core that has a damaged block replaced by whatever a peer sends. */
    public NodeCore withRepairThatComparesNoHash() {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            ArchiveRepair repair(AgreementEpoch epoch, BlockRequests requests) {
                return new ArchiveRepair(
                        files.archive().health(),
                        requests,
                        answer -> ports.background()
                                .run(() -> new CommitTask.RepairJudged(
                                        repairJudge().judge(answer))),
                        1,
                        ports.events()) {
                    @Override
                    protected boolean isOriginal(Block block, long sequence, Digest expected) {
                        return true;
                    }
                };
            }
        });
    }

    /** Returns a core that has the batches of repaired blocks verified by another verifier. */
    public NodeCore withRepairsVerifiedBy(SignatureVerifier verifier) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            RepairJudge repairJudge() {
                return new RepairJudge(files.archive(), setup.genesis().genesis(), verifier);
            }
        });
    }

    /** Returns a core that has the batches of transferred blocks verified by another verifier. */
    public NodeCore withBlocksVerifiedBy(SignatureVerifier verifier) {
        return new NodeCore(new NodeParts(setup, files, ports) {
            @Override
            BlockSignatures blockSignatures(PayloadStore payloads) {
                return new BlockSignatures(verifier, payloads, decoding());
            }
        });
    }
}
