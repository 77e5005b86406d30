package io.sealbook.simulator;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.agent.ReplicaCycle;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.repair.Scrub;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.PeerServer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.ReplicaState;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.simulator.Processors.Work;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
    private static final int PAYLOAD_BYTES_MAX = 8 << 20;
    private static final int TASKS_PER_CYCLE = 8;
    private static final long AGENT_DELAY_MAX_NS = MS / 5;
    private static final long COMMIT_DELAY_MAX_NS = MS;
    private static final long COMMIT_STALL_NS = 60 * MS;
    private static final long RING_DELAY_MAX_NS = MS;
    private static final long CHECK_DELAY_MAX_NS = 3 * MS;
    private static final long EXECUTION_DELAY_MAX_NS = 3 * MS;
    private static final long REOPENING_DELAY_MAX_NS = 200 * MS;
    private static final long SCRUB_BYTES_PER_SECOND = 256 << 10;
    private static final long SCRUB_REST_NS = 500 * MS;
    private static final long UNHEARD_RETRY_NS = MS;
    private static final long DAMAGE_RETRY_NS = 50 * MS;

    private final Simulation simulation;
    private final SimulatedNode node;
    private final SplittableRandom random;
    private final NodeState state;
    private final NodeCore core;
    private final SimulatedRing ring;
    private final AgreementInbox inbox = new AgreementInbox();
    private final ArrayDeque<CommitTask> commits = new ArrayDeque<>();
    private final Loop agent;
    private final Loop committer;
    private final Loop engine;
    private final Heartbeats heartbeats;
    /** Room in the queues between agent and committer; little of it at times, so that they hold each other up. */
    private final int room;

    private final Path archiveDirectory;
    private final BlockArchive archive;
    private long resultsKnown;
    private final VoteChecks voteChecks;

    NodeLife(Simulation simulation, SimulatedNode node) {
        this.simulation = simulation;
        this.node = node;
        this.random = node.random.split();
        agent = loop(Work.AGREEMENT, this::agentCycle);
        committer = loop(Work.COMMIT, this::commitCycle);
        engine = loop(Work.EXECUTION, this::execute);
        heartbeats = new Heartbeats(simulation, node, simulation.ofHeartbeats());
        room = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 4_096;
        Durability durability = simulation.scenario().isDisk() ? Durability.DISK : Durability.PROCESS;
        LifeFiles disk = new LifeFiles(simulation, node, durability);
        archiveDirectory = disk.archiveDirectory();
        NodeFiles files = disk.open(random::nextLong);
        state = new NodeState(simulation.genesis().digest());
        core = simulation.open(node, setup(simulation, node, durability, random.nextLong()), files, ports());
        archive = files.archive();
        ring = new SimulatedRing(simulation, node, core, this::tell);
        if (node.isCorrect()) {
            simulation.checker().onRestarted(node.id, this::holds);
        }
        voteChecks = new VoteChecks(epoch().chainId(), core.membership().epoch(), simulation.verifierOfVotes());
        node.adversary.enter(epoch(), ToySignatures.signer(node.key()));
        resultsKnown = Math.max(0, core.replica().lowWatermark() - 1);
        core.blocks().onCommitted(this::showMembership);
        showMembership();
        core.blocks().onCommitted(() -> engine.wake(random.nextLong(EXECUTION_DELAY_MAX_NS)));
    }

    /** At a restart too: it is that of the archive. */
    private void showMembership() {
        if (node.isCorrect()) {
            simulation
                    .checker()
                    .onMembership(
                            node.id,
                            core.blocks().lastSequence(),
                            core.membership().membership());
        }
    }

    /**
     * Returns the settings of a node.
     *
     * @param simulation of the node
     * @param node with its key
     * @param durability of its files
     * @param hashSeed places ids in memory
     */
    static NodeSetup setup(Simulation simulation, SimulatedNode node, Durability durability, long hashSeed) {
        return new NodeSetup(
                node.id,
                simulation.genesis(),
                durability,
                simulation.scenario().proposesAfter(),
                PayloadRoute.DIRECT,
                HeaderDecoding.Policy.ONCE,
                PAYLOAD_BYTES_MAX,
                hashSeed,
                false,
                ToySignatures.signer(node.key()),
                simulation.verifier());
    }

    private NodePorts ports() {
        return new NodePorts(
                new SimulatedPeers(simulation, node),
                node.engine,
                this::offerCommit,
                this::offerInput,
                this::onEpochEnded,
                this::check,
                state,
                new SimulatedEvents(simulation, node));
    }

    private void check(Supplier<CommitTask> work) {
        later(random.nextLong(CHECK_DELAY_MAX_NS), () -> {
            commits.add(work.get());
            committer.wake(0);
        });
    }

    private Loop loop(Work work, LongSupplier body) {
        return new Loop(
                body,
                simulation::nowNs,
                (delayNs, piece) -> later(delayNs, () -> simulation.compute(node, this, work, piece)));
    }

    /** The shell stops the node a little later. */
    private void onEpochEnded(StableCertificate certificate) {
        simulation.after(random.nextLong(REOPENING_DELAY_MAX_NS), () -> node.reopen(this));
    }

    /** Returns whether the chain gave the node's place to another machine: its process ends by itself. */
    boolean wasReplaced() {
        Membership members = core.membership().epoch().membership();
        VerificationKey own = ToySignatures.key(node.key());
        boolean isPresent = knows(node.id, own);
        return !isPresent
                && IntStream.iterate(
                                0, keyId -> members.identity(node.id, keyId).isPresent(), keyId -> keyId + 1)
                        .anyMatch(keyId ->
                                members.identity(node.id, keyId).orElseThrow().equals(own));
    }

    boolean hasReplaced(int member) {
        return core.membership().epoch().membership().identityKeyId(member) > 0;
    }

    int nodeCount() {
        return core.membership().epoch().nodeCount();
    }

    Epoch epoch() {
        return core.replica().epoch();
    }

    /** Returns whether a member has this identity key in this node's epoch, until the last block of which it counts. */
    boolean knows(int member, VerificationKey key) {
        Membership members = core.membership().epoch().membership();
        return members.hasNode(member) && members.identity(member).equals(key);
    }

    VoteChecks voteChecks() {
        return voteChecks;
    }

    /** Returns whether a member's evidence can be verified with this node's archive. */
    boolean isGenuine(MemberEvidence evidence) {
        return core.membership()
                .membership()
                .identity(evidence.member(), evidence.keyId())
                .filter(key -> ToySignatures.isGenuine(evidence.vote(), key))
                .isPresent();
    }

    void begin() {
        node.engine.start(archiveDirectory, simulation.scenario().hasRot());
        agent.wake(0);
        // A start may have found damage, which it repairs without any task.
        committer.wake(0);
        engine.wake(0);
        if (simulation.scenario().hasRot()) {
            Scrub scrub = new Scrub(archive, SCRUB_BYTES_PER_SECOND, SCRUB_REST_NS, node.engine::executed);
            new Loop(() -> scrub.step(simulation.nowNs()), simulation::nowNs, this::later).wake(0);
        }
        if (simulation.hasHeartbeats()) {
            later(Heartbeats.PERIOD_NS, this::listen);
        }
    }

    /** A heartbeat period is over. */
    private void listen() {
        inbox.put(new Input.Heard(heartbeats.heard()));
        agent.wake(0);
        later(Heartbeats.PERIOD_NS, this::listen);
    }

    private void later(long delayNs, Runnable work) {
        simulation.after(delayNs, () -> node.during(this, work));
    }

    // The agent.

    private long agentCycle() {
        long nowNs = simulation.nowNs();
        ReplicaCycle cycle = core.replicaCycle();
        if (!cycle.handOver()) {
            return cycle.idleNs(nowNs);
        }
        cycle.begin(node.wallNs());
        Message heard = node.adversary.heardNext(core.replica().lastDelivered());
        if (heard != null) {
            inbox.put(heard);
        }
        inbox.drain(input -> observed(() -> cycle.step(input)), vote -> observed(() -> cycle.receive(vote)));
        observed(() -> cycle.end(nowNs));
        if (node.isCorrect()) {
            simulation.checker().onCycle(node.id, core.replica());
        }
        if (node.adversary.hasUnheard()) {
            agent.wake(UNHEARD_RETRY_NS);
        }
        return inbox.isEmpty() || cycle.isHeldUp() ? cycle.idleNs(nowNs) : 0;
    }

    private void observed(Runnable step) {
        ReplicaState before = core.replica().state();
        step.run();
        if (node.isCorrect()) {
            simulation.observer().onState(node.id, before, core.replica().state());
        }
    }

    /** Takes a vote whose signatures are genuine. */
    void onVote(Message vote) {
        if (!node.adversary.hears(vote, simulation.nowNs())) {
            return;
        }
        inbox.put(vote);
        wakeAgent();
    }

    private void tell(Input input) {
        inbox.put(input);
        wakeAgent();
    }

    private void wakeAgent() {
        if (!inbox.isEmpty()) {
            agent.wake(random.nextLong(AGENT_DELAY_MAX_NS));
        }
    }

    private boolean offerInput(Input input) {
        if (inbox.inputCount() >= room) {
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
            List<Digest> batches =
                    deliver.batches().stream().map(Payload::batchId).toList();
            simulation.checker().onDelivered(node.id, deliver.proposal(), batches);
            simulation.observer().onDelivered(node.id, epoch().number(), deliver.proposal());
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
        if (!enter(BatchSource.BROKER, batch.broker(), () -> ring.admit(batch.signed(), null, source))) {
            source.onVerdict(0, Verdict.busy("there is no room", 0));
        }
    }

    /** Puts a batch into the ring if there is room. */
    private boolean enter(int sender, Object holder, Runnable admission) {
        long delayNs = random.nextLong(RING_DELAY_MAX_NS);
        return simulation.enterRing(node, sender, holder, delayNs, () -> node.during(this, admission));
    }

    void onPayload(int peer, byte[] signedBatch) {
        Digest batchId = BatchId.of(signedBatch);
        if (core.spreading().isNews(peer, batchId, simulation.nowNs())
                && !enter(peer, peer, () -> ring.admit(signedBatch, batchId, ring.source(peer)))) {
            core.spreading().onDropped(peer, batchId);
        }
    }

    /** Returns whether a batch waits for its block here, or has one. */
    boolean holds(Digest batchId) {
        return core.payloads().contains(batchId) || isInABlock(batchId);
    }

    private boolean isInABlock(Digest batchId) {
        CommittedBlocks blocks = core.blocks();
        return LongStream.rangeClosed(blocks.firstSequence(), blocks.lastSequence())
                .anyMatch(sequence -> isInBlock(sequence, batchId));
    }

    /** A damaged block holds what it held: it is repaired, or the run fails. */
    private boolean isInBlock(long sequence, Digest batchId) {
        try {
            return core.blocks()
                    .block(sequence)
                    .flatMap(block -> CommittedBlocks.signedBatch(block, batchId))
                    .isPresent();
        } catch (BlockDamagedException e) {
            return simulation.checker().isDelivered(batchId);
        }
    }

    /** Returns whether the node still holds a batch that one of its blocks has. */
    boolean holdsNeedlessly(Digest batchId) {
        return core.payloads().contains(batchId)
                && core.blocks().sequenceOf(batchId).isPresent();
    }

    boolean isWanted(Digest batchId) {
        return core.payloads().isWanted(batchId);
    }

    // What peers ask for and send.

    void onConnected(int peer, int peerEpoch) {
        core.spreading().onConnected(peer);
        inbox.onConnected(peer, peerEpoch == epoch().number());
        wakeAgent();
        if (core.epochProofs().isEarlier(peerEpoch)) {
            proveEnd(peer, peerEpoch);
        }
    }

    void handOver() {
        tell(new Input.HandOver());
    }

    /** A node of an earlier epoch speaks as if it went on. */
    void onLaggard(int peer, int peerEpoch) {
        if (core.epochProofs().isDue(peer, peerEpoch, simulation.nowNs())) {
            proveEnd(peer, peerEpoch);
        }
    }

    private void proveEnd(int peer, int peerEpoch) {
        core.epochProofs().endOf(peerEpoch).ifPresent(end -> simulation.wire().sendVote(node, peer, end));
    }

    void onDisconnected(int peer) {
        inbox.onDisconnected(peer);
        wakeAgent();
    }

    void onBatchRequest(int peer, List<BatchRange> ranges) {
        List<PeerServer.FoundBatch> found = core.peerServer().batches(ranges);
        simulation.trace(
                node, "has " + found.size() + " of " + ranges.size() + " batches that node " + peer + " lacks");
        found.forEach(batch -> simulation.wire().sendPayload(node, peer, batch.signed()));
    }

    void onBlockRequest(int peer, long from, int count) {
        core.peerServer()
                .blocks(from, count)
                .ifPresent(answer ->
                        simulation.wire().sendBlocks(node, peer, answer.from(), answer.blocks(), answer.certificate()));
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
        Engine.Execution executed;
        try {
            executed = node.engine.execute();
        } catch (BlockDamagedException e) {
            // The engine waits until the node has repaired the block.
            return DAMAGE_RETRY_NS;
        }
        if (node.isCorrect() && !node.engine.isWrong(executed.block().header().sequence())) {
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

    /** As the shipped reader of results does, it passes on those that the engine reports again. */
    void onEngineRebuilt() {
        resultsKnown = 0;
        engine.wake(0);
    }

    long lastBlock() {
        return state.lastBlock().sequence();
    }

    long lastCertified() {
        return core.replica().lowWatermark();
    }

    boolean votes() {
        return core.replica().state().mayVote();
    }

    int pendingCount() {
        return core.replica().pendingCount();
    }

    int entryCount() {
        return core.replica().entryCount();
    }

    long view() {
        return core.replica().view();
    }

    int primary() {
        return state.agreement().primary();
    }

    @Override
    public String toString() {
        return state + ", " + core.replica().state() + ", votes " + inbox.voteCount() + ", commits " + commits.size();
    }
}
