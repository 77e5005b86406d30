package io.sealbook.simulator;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * One life of a node's process: the shipped core, and in the place of its threads events of virtual time.
 *
 * <pre>
 *   votes, inputs ─▶ agent ─▶ commits ─▶ committer ─▶ engine ─▶ result ─▶ inputs
 *   payloads, submissions ─▶ ring ─▶ inputs
 * </pre>
 */
final class NodeLife {
    private static final long MS = 1_000_000L;
    private static final int REPLICA_LOG_SEGMENT_LENGTH = 32 << 10;
    private static final int PAYLOAD_LOG_SEGMENT_LENGTH = 16 << 10;
    private static final int PAYLOAD_BYTES_MAX = 8 << 20;
    private static final int NONCES_MAX = 4_096;
    private static final int TASKS_PER_CYCLE = 8;
    private static final long AGENT_DELAY_MAX_NS = MS / 5;
    private static final long COMMIT_DELAY_MAX_NS = MS;
    private static final long COMMIT_STALL_NS = 60 * MS;
    private static final long RING_DELAY_MAX_NS = MS;
    private static final long CHECK_DELAY_MAX_NS = 3 * MS;
    private static final long EXECUTION_DELAY_MAX_NS = 3 * MS;

    private final Simulation simulation;
    private final SimulatedNode node;
    private final SplittableRandom random;
    private final NodeState state;
    private final NodeCore core;
    private final SignatureStage ring;
    private final Admission admission;
    private final ArrayDeque<Message> votes = new ArrayDeque<>();
    private final ArrayDeque<Input> inputs = new ArrayDeque<>();
    private final ArrayDeque<CommitTask> commits = new ArrayDeque<>();
    private final Loop agent = new Loop(this::agentCycle);
    private final Loop committer = new Loop(this::commitCycle);
    private final Loop engine = new Loop(this::execute);
    /** Room in the queues between agent and committer; little of it at times, so that they hold each other up. */
    private final int room;

    private final Path archiveDirectory;
    private final long resultsKnown;

    NodeLife(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
        this.random = node.random.split();
        room = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 4_096;
        archiveDirectory = node.disk.directory("archive");
        Durability durability = simulation.scenario().isDisk() ? Durability.DISK : Durability.PROCESS;
        BlockArchive archive = BlockArchive.open(
                archiveDirectory,
                new ArchiveConfig(
                        simulation.genesis().digest(),
                        simulation.genesis().genesis().getParameters().getBlocksPerSegment(),
                        durability),
                new InPlace(),
                random::nextLong);
        ReplicaLog log = ReplicaLog.open(
                simulation.watch(node, FileStorage.open(node.disk.directory("replica-log")), durability),
                durability,
                REPLICA_LOG_SEGMENT_LENGTH);
        VoteMark mark = VoteMark.open(FileStorage.open(node.disk.directory("replica-mark")), durability);
        PayloadLog payloadLog = PayloadLog.open(
                FileStorage.open(node.disk.directory("payload-log")), durability, PAYLOAD_LOG_SEGMENT_LENGTH);
        simulation.onRecovered(node, log.records());
        state = new NodeState(Digest.of(simulation.genesis().digest()));
        core = simulation.open(
                node,
                new NodeSetup(
                        node.id,
                        simulation.genesis(),
                        durability,
                        PayloadRoute.DIRECT,
                        PAYLOAD_BYTES_MAX,
                        NONCES_MAX,
                        random.nextLong(),
                        false,
                        ToySignatures.signer(node.id),
                        simulation.verifier()),
                new NodeFiles(archive, log, mark, payloadLog),
                new NodePorts(
                        new SimulatedPeers(simulation, node),
                        node.engine,
                        this::offerCommit,
                        this::offerInput,
                        work -> later(random.nextLong(CHECK_DELAY_MAX_NS), () -> {
                            commits.add(work.get());
                            committer.wake(0);
                        }),
                        state,
                        new SimulatedEvents(simulation, node)));
        ring = core.signatureStage(1);
        admission = core.admission(new Admitted());
        if (node.isCorrect()) {
            simulation.checker().onRestarted(node.id, this::holds);
        }
        resultsKnown = Math.max(0, core.replica().lowWatermark() - 1);
        core.blocks().onCommitted(() -> engine.wake(random.nextLong(EXECUTION_DELAY_MAX_NS)));
    }

    void begin() {
        node.engine.start(archiveDirectory);
        agent.wake(0);
        engine.wake(0);
    }

    private void later(long delayNs, Runnable work) {
        simulation.after(delayNs, () -> node.during(this, work));
    }

    /** What one thread of the process does again and again. */
    private final class Loop {
        private final LongSupplier body;
        private long wakeAtNs = Long.MAX_VALUE;

        /**
         * @param body returns after how many nanoseconds it runs again if nothing wakes it; the greatest number for
         *     never
         */
        private Loop(LongSupplier body) {
            this.body = body;
        }

        private void wake(long delayNs) {
            long atNs = simulation.nowNs() + delayNs;
            if (atNs < wakeAtNs) {
                wakeAtNs = atNs;
                later(delayNs, () -> run(atNs));
            }
        }

        private void run(long atNs) {
            if (wakeAtNs == atNs) {
                wakeAtNs = Long.MAX_VALUE;
                long idleNs = body.getAsLong();
                if (idleNs != Long.MAX_VALUE) {
                    wake(idleNs);
                }
            }
        }
    }

    // The agent.

    private long agentCycle() {
        long nowNs = simulation.nowNs();
        if (!core.replicaCycle().handOver()) {
            return core.replicaCycle().idleNs(nowNs);
        }
        core.replicaCycle().begin(node.wallNs());
        while (!votes.isEmpty()) {
            core.replicaCycle().receive(votes.remove());
        }
        while (!inputs.isEmpty()) {
            core.replicaCycle().step(inputs.remove());
        }
        core.replicaCycle().end(nowNs);
        if (node.isCorrect()) {
            simulation.checker().onEntryCount(node.id, core.replica().entryCount(), simulation.entryBound());
        }
        return core.replicaCycle().idleNs(nowNs);
    }

    /** Takes a vote whose signatures are genuine. */
    void onVote(Message vote) {
        votes.add(vote);
        agent.wake(random.nextLong(AGENT_DELAY_MAX_NS));
    }

    private void tell(Input input) {
        inputs.add(input);
        agent.wake(random.nextLong(AGENT_DELAY_MAX_NS));
    }

    private boolean offerInput(Input input) {
        if (inputs.size() >= room) {
            return false;
        }
        tell(input);
        return true;
    }

    // The committer.

    private boolean offerCommit(CommitTask task) {
        if (commits.size() >= room) {
            return false;
        }
        if (task instanceof CommitTask.Deliver deliver && node.isCorrect()) {
            simulation.checker().onDelivered(node.id, deliver.proposal());
        }
        commits.add(task);
        committer.wake(random.nextInt(100) == 0 ? COMMIT_STALL_NS : random.nextLong(COMMIT_DELAY_MAX_NS));
        return true;
    }

    private long commitCycle() {
        long nowNs = simulation.nowNs();
        core.committer().resume();
        for (int i = 0; i < TASKS_PER_CYCLE && !commits.isEmpty(); i++) {
            core.committer().carryOut(commits.remove(), nowNs);
        }
        core.committer().onTick(nowNs);
        return commits.isEmpty() ? core.committer().idleNs() : random.nextLong(COMMIT_DELAY_MAX_NS);
    }

    // The ring.

    void onSubmitted(Batch batch, BatchSource source) {
        later(random.nextLong(RING_DELAY_MAX_NS), () -> admit(batch.signed(), null, source));
    }

    void onPayload(int peer, byte[] signedBatch) {
        Digest batchId = BatchId.of(signedBatch);
        if (core.spreading().isNews(peer, batchId, simulation.nowNs())) {
            later(random.nextLong(RING_DELAY_MAX_NS), () -> admit(signedBatch, batchId, new Peer(peer)));
        }
    }

    private void admit(byte[] signedBatch, Digest knownBatchId, BatchSource source) {
        IngressSlot slot = new IngressSlot();
        slot.fill(source, 0, signedBatch, knownBatchId, simulation.nowNs());
        ring.add(slot);
        if (ring.size() > 0) {
            ring.verify();
        }
        admission.decide(slot, true, node.wallNs());
    }

    private final class Admitted implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            core.spreading().spread(payload, primary());
        }

        @Override
        public void onDurable(Payload payload) {
            tell(new Input.BatchAvailable(
                    payload.batchId(), payload.brokerId(), payload.arrivalTimeNs(), payload.validUntilBlock()));
        }
    }

    /** Returns whether a batch waits for its block here, or has one. */
    boolean holds(Digest batchId) {
        return core.payloads().contains(batchId)
                || core.blocks().signedBatch(batchId, 1).isPresent();
    }

    boolean isWanted(Digest batchId) {
        return core.payloads().isWanted(batchId);
    }

    // What peers ask for and send.

    void onConnected(int peer) {
        core.spreading().onConnected(peer);
    }

    void onBatchRequest(int peer, List<Digest> batchIds) {
        List<PeerServer.FoundBatch> found = core.peerServer().batches(batchIds);
        simulation.trace(
                node, "has " + found.size() + " of " + batchIds.size() + " batches that node " + peer + " lacks");
        found.forEach(batch -> simulation.sendPayload(node, peer, batch.signed()));
    }

    void onBlockRequest(int peer, long from, int count) {
        core.peerServer()
                .blocks(from, count)
                .ifPresent(answer ->
                        simulation.sendBlocks(node, peer, answer.from(), answer.blocks(), answer.certificate()));
    }

    void onBlocks(int peer, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        if (core.expectedBlocks().take(peer, from)) {
            offerCommit(new CommitTask.BlocksReceived(peer, from, blocks, certificateOrNull));
        }
    }

    // The engine.

    private long execute() {
        if (!node.engine.isBehind()) {
            return Long.MAX_VALUE;
        }
        Engine.Execution executed = node.engine.execute();
        if (node.isCorrect()) {
            simulation.checker().onExecuted(node.id, executed.block(), executed.result());
        }
        long sequence = executed.block().header().sequence();
        if (sequence <= resultsKnown) {
            return 0;
        }
        core.checkpointing()
                .onResult(sequence, executed.result(), node.wallNs())
                .ifPresent(this::tell);
        return random.nextLong(EXECUTION_DELAY_MAX_NS);
    }

    long lastBlock() {
        return state.lastBlock().sequence();
    }

    int primary() {
        return state.agreement().primary();
    }

    @Override
    public String toString() {
        return state + ", " + core.replica().state() + ", votes " + votes.size() + ", commits " + commits.size();
    }

    /** A peer as a source of batches: its verdicts are told to nobody. */
    private record Peer(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // The events have it.
        }

        @Override
        public void onVerdictsEnd() {
            // Nothing was kept back.
        }
    }
}
