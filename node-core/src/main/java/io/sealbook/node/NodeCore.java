package io.sealbook.node;

import io.sealbook.archive.Block;
import io.sealbook.membership.Membership;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmissionContext;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.admission.BatchDecoder;
import io.sealbook.node.admission.BrokerRegistry;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.EarlyBatches;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.node.agent.AgentContext;
import io.sealbook.node.agent.ReplicaCycle;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.checkpointing.Checkpointing;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.member.EpochProofs;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.restart.EpochRecords;
import io.sealbook.node.restart.StartUp;
import io.sealbook.node.restart.VoteRecords;
import io.sealbook.node.session.Equivocations;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.ExpectedBlocks;
import io.sealbook.node.transfer.PeerRequests;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The decisions of one node, put together: restored from its files, ready to be driven. Holds no thread, socket, clock
 * or random source. Each part names the thread that calls it.
 */
public final class NodeCore {
    private final NodeSetup setup;
    private final NodePorts ports;
    private final NodeState state;
    private final PayloadStore payloads;
    private final PayloadLog payloadLog;
    private final Sessions sessions;
    private final CommittedBlocks blocks;
    private final StartUp.Window window;
    private final Replica replica;
    private final ReplicaCycle replicaCycle;
    private final Committer committer;
    private final Spreading spreading;
    private final ExpectedBlocks expectedBlocks = new ExpectedBlocks();
    private final PeerServer peerServer;
    private final Checkpointing checkpointing;
    private final ChainMembership membership;
    private final BrokerRegistry brokers;
    private final EarlyBatches early;
    private final EvidenceStore evidence;
    private final EpochProofs epochProofs;
    /** Of the committer's thread. */
    private boolean isEndShown;

    /**
     * Restores a node from its files, and hands on what only the archive holds.
     *
     * @param setup of the node
     * @param files stay the caller's
     * @param ports what the shell provides
     * @throws BrokenInvariantException if archive, log and sink do not fit together
     * @throws io.sealbook.node.restart.LostReplicaLogException if the records of this replica's votes are lost, or
     *     nothing shows that its key has never voted, and the setup does not accept that
     */
    public static NodeCore open(NodeSetup setup, NodeFiles files, NodePorts ports) {
        return new NodeCore(new NodeParts(setup, files, ports));
    }

    NodeCore(NodeParts parts) {
        setup = parts.setup;
        ports = parts.ports;
        NodeFiles files = parts.files;
        state = ports.state();
        payloadLog = files.payloadLog();
        evidence = files.evidence();
        new VoteRecords(files.replicaLog(), files.voteMark(), files.neverVoted(), files.archive(), ports.sink())
                .require(setup.isLostReplicaLogAccepted(), ports.events());
        EpochRecords epochs = parts.epochRecords();
        epochs.repair(files.archive());
        membership = parts.membership();
        epochs.begin(membership.epoch());
        epochProofs = new EpochProofs(setup.nodeId(), membership, files.archive());
        long handedOver = StartUp.repairQueue(files.archive(), ports.sink());
        if (handedOver > 0) {
            ports.events().handedOver(handedOver);
        }
        payloads = parts.payloads(membership.epoch());
        payloads.onRemove(payloadLog::retire);
        sessions = parts.sessions();
        blocks = parts.blocks();
        parts.restoreHeads(sessions);
        evidence.sessions().forEach(sessions::suspend);
        evidence.onTrouble(trouble(ports.events()));
        window = parts.window(sessions, blocks);
        files.archive().read(files.archive().lastSequence()).map(Block::wrap).ifPresent(this::resumeAt);
        spreading = parts.spreading(payloads, membership.epoch());
        peerServer = new PeerServer(payloads, blocks, files.archive());
        checkpointing = new Checkpointing(files.archive(), state, checkpointInterval(), membership);
        brokers = new BrokerRegistry(membership.membership());
        membership.onChange(brokers::become);
        early = new EarlyBatches(brokers, sessions, spreading, ports.peers());
        blocks.onCommitted(this::askForEarlyBatches);
        committer = committer(parts);
        replica = parts.restoredReplica(window, sessions, membership);
        replicaCycle = new ReplicaCycle(replica, parts.restorePayloads(payloads, sessions), agentContext(files));
    }

    private static EvidenceStore.Trouble trouble(NodeEvents events) {
        return new EvidenceStore.Trouble() {
            @Override
            public void unwritten(String fact) {
                events.evidenceUnwritten(fact);
            }

            @Override
            public void written(int lost) {
                events.evidenceWritten(lost);
            }
        };
    }

    private int checkpointInterval() {
        return membership.epoch().terms().getParameters().getCheckpointInterval();
    }

    private void resumeAt(Block last) {
        state.lastBlock(NodeState.LastBlock.of(last));
    }

    private void askForEarlyBatches() {
        if (membership.present().block() == blocks.lastSequence()) {
            early.askAgain();
        }
    }

    private Committer committer(NodeParts parts) {
        CommitContext context = new CommitContext(
                parts.files.archive(),
                ports.sink(),
                blocks,
                parts.decoding(),
                membership,
                payloads,
                sessions,
                parts.files.sessionHeads(),
                this::endEpoch,
                ports.inputs(),
                state,
                ports.events(),
                setup.durability());
        PeerRequests requests = new PeerRequests(ports.peers(), expectedBlocks);
        StateTransfer transfer = new StateTransfer(
                requests,
                parts.certificates(membership.epoch()),
                parts.blockChecks(payloads),
                StateTransfer.Limits.of(checkpointInterval(), setup.parameters().getLogWindow()),
                ports.events());
        parts.files.archive().health().onFound(() -> ports.commits().test(new CommitTask.DamageFound()));
        return parts.committer(context, transfer, parts.repair(membership.epoch(), requests));
    }

    /**
     * This node may be the only one with the certificate, and stop with it if the next epoch does not name it. It says
     * so once: the certificates that others send now end the epoch again.
     */
    private void endEpoch(StableCertificate certificate) {
        if (!isEndShown) {
            isEndShown = true;
            ports.peers().broadcast(new CheckpointProof(certificate, setup.nodeId()));
        }
        ports.epochEnded().accept(certificate);
    }

    private AgentContext agentContext(NodeFiles files) {
        return new AgentContext(
                ports.peers(),
                spreading,
                files.replicaLog(),
                files.voteMark(),
                setup.durability(),
                payloads,
                sessions,
                evidence,
                membership.epoch().membership()::identityKeyId,
                ports.commits(),
                state,
                ports.events());
    }

    /** Returns a stage that decodes; one for each thread that does. */
    public DecodeStage decodeStage() {
        return new DecodeStage(
                new BatchDecoder(setup.genesis().genesis(), brokers, ports.events()::decoded), payloads, sessions);
    }

    /** Returns a stage that collects and verifies; one for each thread that does. */
    public SignatureStage signatureStage(int signaturesPerCallMax) {
        return new SignatureStage(signaturesPerCallMax, setup.verifier());
    }

    /** Returns the stage after them, of which there is one; {@code admitted} receives each batch that is taken. */
    public Admission admission(AdmittedBatches admitted) {
        AdmissionContext context = new AdmissionContext(
                setup.seat(membership.epoch()),
                setup.parameters().getValidityBlocksMax(),
                state,
                membership::blockBeforeNextTransaction,
                ports.events(),
                early::note,
                (batchId, peer) -> spreading.onDropped(peer, batchId));
        Equivocations equivocations =
                new Equivocations(sessions, evidence, this::heldBatch, setup.verifier(), ports.events());
        return new Admission(context, payloads, payloadLog, sessions, equivocations, admitted);
    }

    private Optional<byte[]> heldBatch(Digest batchId) {
        Payload waiting = payloads.get(batchId);
        if (waiting != null) {
            return Optional.of(waiting.signedBatch());
        }
        // A number is remembered while few batches follow it; their blocks are recent.
        OptionalLong sequence = blocks.sequenceOf(batchId);
        return sequence.isEmpty()
                ? Optional.empty()
                : blocks.wholeBlock(sequence.getAsLong()).flatMap(block -> CommittedBlocks.signedBatch(block, batchId));
    }

    public NodeState state() {
        return state;
    }

    public PayloadStore payloads() {
        return payloads;
    }

    /** Returns the consortium as the blocks so far have made it. */
    public ChainMembership membership() {
        return membership;
    }

    /**
     * Returns the members whose present identity key signed two statements that exclude each other, by the files of
     * evidence. Reads the directory; any thread.
     */
    public List<Integer> provenFaulty() {
        Membership present = membership.membership();
        return evidence.memberKeys().stream()
                .filter(key -> present.hasNode(key.member()) && present.identityKeyId(key.member()) == key.keyId())
                .map(EvidenceStore.MemberKey::member)
                .sorted()
                .toList();
    }

    /** Returns what shows nodes of earlier epochs that these have ended. */
    public EpochProofs epochProofs() {
        return epochProofs;
    }

    public Sessions sessions() {
        return sessions;
    }

    public CommittedBlocks blocks() {
        return blocks;
    }

    /** Returns what the archive held at the start. */
    public StartUp.Window window() {
        return window;
    }

    /** Returns the replica, to be looked at on the agent's thread. */
    public Replica replica() {
        return replica;
    }

    public ReplicaCycle replicaCycle() {
        return replicaCycle;
    }

    public Committer committer() {
        return committer;
    }

    public Spreading spreading() {
        return spreading;
    }

    public ExpectedBlocks expectedBlocks() {
        return expectedBlocks;
    }

    public PeerServer peerServer() {
        return peerServer;
    }

    public Checkpointing checkpointing() {
        return checkpointing;
    }
}
