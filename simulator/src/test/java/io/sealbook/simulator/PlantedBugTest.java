package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.ForwardingFile;
import io.sealbook.archive.storage.ForwardingStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.PlantedCore;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.Peers;
import io.sealbook.pbft.LeakyReplica;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.WrongQuorum;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.simulator.disk.NoRoomException;
import io.sealbook.vocabulary.Durability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The checker is worth what it finds: each bug planted here must be found within a stated number of seeds. */
class PlantedBugTest {
    private static final int SEEDS_MAX = 800;
    /** Few of them have a liar and disks that change files. */
    private static final int ROTTEN_SEEDS_MAX = 3_000;

    private static String find(Function<Scenario, Simulation> withBug) {
        return find(withBug, "");
    }

    /** Finds one effect of a bug that has several: passes over the seeds that fail in other words. */
    private static String find(Function<Scenario, Simulation> withBug, String effect) {
        return findAmong(SEEDS_MAX, scenario -> true, withBug, effect);
    }

    private static String findAmong(
            int seedsMax, Predicate<Scenario> isChosen, Function<Scenario, Simulation> withBug, String effect) {
        for (long seed = 0; seed < seedsMax; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (isChosen.test(scenario)) {
                try {
                    withBug.apply(scenario).run();
                } catch (SimulationFailure e) {
                    if (e.getMessage().contains(effect)) {
                        return e.getMessage();
                    }
                }
            }
        }
        return "not found in " + seedsMax + " seeds";
    }

    /** Finds a bug in the correct nodes' cores. */
    private static String findInCore(Function<PlantedCore, NodeCore> bug) {
        return find(inCore(bug));
    }

    private static Function<Scenario, Simulation> inCore(Function<PlantedCore, NodeCore> bug) {
        return scenario -> new Simulation(scenario, null) {
            @Override
            NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
                return node.isCorrect()
                        ? bug.apply(new PlantedCore(setup, files, ports))
                        : super.open(node, setup, files, ports);
            }
        };
    }

    // In agreement.

    @Test
    void shouldFindAQuorumThatIsOffByOne() {
        assertThat(findInCore(core -> core.withReplica(WrongQuorum::offByOne))).startsWith("seed ");
    }

    @Test
    void shouldFindThatOneLiarIsBelieved() {
        assertThat(findInCore(core -> core.withReplica(WrongQuorum::believingLiars)))
                .startsWith("seed ");
    }

    /** Whoever leaves shows nobody why: the others are content, and it goes on without a vote. */
    @Test
    void shouldFindThatAReplicaLeavesItsViewAlone() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
                NodePorts silent =
                        hearing(ports, message -> !(message instanceof Suspicion) || message.sender() == node.id);
                return super.open(node, setup, files, silent);
            }
        });

        assertThat(found).startsWith("seed ").contains("not all take part in one view");
    }

    // In what is remembered.

    @Test
    void shouldFindThatAVoteIsNotRemembered() {
        assertThat(findNotWritten(ReplicaRecord.Accepted.class::isInstance))
                .startsWith("seed ")
                .contains("not durable");
    }

    @Test
    void shouldFindThatTransactionsAreForgotten() {
        assertThat(findInCore(PlantedCore::withoutTransactionsOfBlocks))
                .startsWith("seed ")
                .contains("has another membership after block");
    }

    @Test
    void shouldFindThatPreparedCertificatesAreForgotten() {
        assertThat(findNotWritten(ReplicaRecord.Prepared.class::isInstance))
                .startsWith("seed ")
                .contains("not durable");
    }

    private static String findNotWritten(Predicate<ReplicaRecord> lost) {
        return find(scenario -> new Simulation(scenario, null) {
            @Override
            Storage watch(SimulatedNode node, Storage files, Durability durability) {
                return new WatchedStorage(files, durability, record -> onDurable(node, record)) {
                    @Override
                    boolean writes(ReplicaRecord record) {
                        return !lost.test(record);
                    }
                };
            }
        });
    }

    @Test
    void shouldFindThatVotesAreSaidBeforeTheyAreDurable() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            Storage watch(SimulatedNode node, Storage files, Durability durability) {
                return new WatchedStorage(files, durability, record -> onDurable(node, record)) {
                    @Override
                    boolean syncs() {
                        return false;
                    }
                };
            }
        });

        assertThat(found).startsWith("seed ").contains("durable");
    }

    @Test
    void shouldFindThatALeftViewIsForgotten() {
        assertThat(findInCore(core -> core.forgetting(ReplicaRecord.ViewLeft.class::isInstance)))
                .startsWith("seed ")
                .contains("view that it left");
    }

    @Test
    void shouldFindThatVotesAreForgottenInACrash() {
        assertThat(findInCore(core -> core.forgetting(record ->
                        record instanceof ReplicaRecord.Accepted || record instanceof ReplicaRecord.Prepared)))
                .startsWith("seed ")
                .containsAnyOf("voted twice", "committed as");
    }

    /**
     * A node that forgot takes delivered numbers for new ones: at its door, where it expects number 1 of each session,
     * and in agreement, where it takes a right proposal for one that has too many batches, or proposes a block twice.
     */
    @Test
    void shouldFindThatNumbersAreForgottenAtARestart() {
        assertThat(findInCore(PlantedCore::withoutNumbersOfBlocks)).startsWith("seed ");
    }

    @Test
    void shouldFindThatASessionStopsWhenItsNumbersAreForgotten() {
        assertThat(find(inCore(PlantedCore::withoutNumbersOfBlocks), "no recovery"))
                .startsWith("seed ");
    }

    // In what is forgotten.

    @Test
    void shouldFindThatOldSlotsAreKept() {
        assertThat(find(inCore(core -> core.withReplica(LeakyReplica::keepingOldSlots)), "entries"))
                .startsWith("seed ")
                .containsPattern("holds \\d+ entries, bound \\d+");
    }

    // In what is verified.

    @Test
    void shouldFindThatAForgedVoteIsTaken() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            SignatureVerifier verifierOfVotes() {
                return new Credulous();
            }
        });

        assertThat(found).startsWith("seed ");
    }

    @Test
    void shouldFindThatBatchesOfPeersAreNotVerified() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            SignatureVerifier verifier() {
                return new Credulous();
            }
        });

        assertThat(found).startsWith("seed ").contains("other bytes than the broker signed");
    }

    @Test
    void shouldFindThatTransferredBatchesAreNotVerified() {
        assertThat(findInCore(core -> core.withBlocksVerifiedBy(new Credulous())))
                .startsWith("seed ")
                .contains("other bytes than the broker signed");
    }

    @Test
    void shouldFindThatACertificateIsTakenUnchecked() {
        assertThat(findInCore(core -> core.withCertificatesVerifiedBy(new Credulous())))
                .startsWith("seed ")
                .containsPattern("replica \\d+: block \\d+ differs");
    }

    // In what is held.

    @Test
    void shouldFindThatAcknowledgedPayloadsAreLostInACrash() {
        String found = find(scenario -> new Simulation(scenario, null) {
            private int lives;

            @Override
            NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
                Storage fresh = FileStorage.open(node.disk.directory("payload-log-" + lives++));
                PayloadLog empty = PayloadLog.open(fresh, setup.durability(), 16 << 10);
                return super.open(
                        node,
                        setup,
                        new NodeFiles(
                                files.archive(),
                                files.replicaLog(),
                                files.voteMark(),
                                files.neverVoted(),
                                empty,
                                files.sessionHeads(),
                                files.evidence()),
                        ports);
            }
        });

        assertThat(found).startsWith("seed ").contains("had acknowledged");
    }

    @Test
    void shouldFindThatPayloadsAreForgottenBeforeTheirBlock() {
        String found = find(scenario -> new Simulation(scenario, null) {
            @Override
            NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
                AtomicReference<PayloadStore> store = new AtomicReference<>();
                NodePorts planted = hearing(ports, message -> {
                    if (message instanceof PrePrepare prePrepare && prePrepare.sequence() % 5 == 0) {
                        prePrepare.proposal().ends().forEach(end -> store.get().remove(end.id()));
                    }
                    return true;
                });
                return new PlantedCore(setup, files, planted).withStore(store::set);
            }
        });

        assertThat(found).startsWith("seed ").contains("without payload");
    }

    /** Returns ports that pass a message to other members only if the listener says so. */
    private static NodePorts hearing(NodePorts ports, Predicate<Message> listener) {
        Peers peers = (Peers) Proxy.newProxyInstance(
                Peers.class.getClassLoader(), new Class<?>[] {Peers.class}, (proxy, method, arguments) -> {
                    for (Object argument : arguments == null ? new Object[0] : arguments) {
                        if (argument instanceof Message message && !listener.test(message)) {
                            return null;
                        }
                    }
                    try {
                        return method.invoke(ports.peers(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new NodePorts(
                peers,
                ports.sink(),
                ports.commits(),
                ports.inputs(),
                ports.epochEnded(),
                ports.background(),
                ports.state(),
                ports.events());
    }

    /** Either the block that names it stops the node, or peers that lack it wait for ever. */
    @Test
    void shouldFindThatABatchOfABlockIsLookedForInMemoryOnly() {
        assertThat(findInCore(PlantedCore::withoutBatchesOfBlocks))
                .startsWith("seed ")
                .containsAnyOf("without payload", "no recovery");
    }

    // Behind an engine that is wrong.

    @Test
    void shouldFindThatAnIsolationIsForgotten() {
        Function<Scenario, Simulation> withBug =
                inCore(core -> core.forgetting(ReplicaRecord.Isolated.class::isInstance));

        assertThat(findAmong(SEEDS_MAX, Scenario::hasWrongEngine, withBug, "is isolated and votes"))
                .startsWith("seed ");
    }

    // On disks that are full.

    @Test
    void shouldFindThatARecordIsTakenForWrittenWithoutRoom() {
        Function<Scenario, Simulation> withBug = scenario -> new Simulation(scenario, null) {
            @Override
            Storage watch(SimulatedNode node, Storage files, Durability durability) {
                return super.watch(node, new Careless(files), durability);
            }
        };

        assertThat(findAmong(SEEDS_MAX, Scenario::hasFullDisks, withBug, "")).startsWith("seed ");
    }

    /** Lets no caller know of a write for which there was no room. */
    private static final class Careless extends ForwardingStorage {
        private Careless(Storage storage) {
            super(storage);
        }

        @Override
        protected StoredFile forward(StoredFile file) {
            return new ForwardingFile(file) {
                @Override
                public void write(ByteBuffer from, long offset) {
                    try {
                        super.write(from, offset);
                    } catch (StorageException e) {
                        if (!NoRoomException.isCauseOf(e)) {
                            throw e;
                        }
                    }
                }
            };
        }
    }

    // In the repair of archives, in runs whose disks change files and one of whose members lies.

    /** Passes over the seeds that fail in other words. */
    private static String findWithRot(Function<PlantedCore, NodeCore> bug, String effect) {
        return findAmong(
                ROTTEN_SEEDS_MAX,
                scenario ->
                        scenario.hasRot() && Arrays.asList(scenario.faults()).contains(Fault.LIE),
                inCore(bug),
                effect);
    }

    /** The archive itself compares the hash once more, so that the node stops. */
    @Test
    void shouldFindThatARepairComparesNoHash() {
        assertThat(findWithRot(PlantedCore::withRepairThatComparesNoHash, "of a peer has hash"))
                .startsWith("seed ");
    }

    @Test
    void shouldFindThatARepairTakesForgedSignatures() {
        assertThat(findWithRot(core -> core.withRepairsVerifiedBy(new Credulous()), "archives differ"))
                .startsWith("seed ");
    }

    /** The archive itself compares the hash, so that the node stops. */
    @Test
    void shouldFindThatARepairTakesForgedCertificates() {
        assertThat(findWithRot(core -> core.withRepairsVerifiedBy(new Credulous()), "is not about this chain"))
                .startsWith("seed ");
    }

    /** Finds every signature genuine. */
    private static final class Credulous implements SignatureVerifier {
        @Override
        public String provider() {
            return "credulous";
        }

        @Override
        public int verify(SignatureBatch batch) {
            for (int i = 0; i < batch.size(); i++) {
                batch.setValid(i, true);
            }
            return batch.size();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
