package io.sealbook.consensus.status;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.protocol.v1.RefusalReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The node's meters. Each exists for an operator's question, written as its description. Any thread. */
public final class NodeMetrics {
    /** Of the names of all. */
    public static final String PREFIX = "sealbook.node.";

    private final MeterRegistry registry;
    private final Map<RefusalReason, Counter> refusals = new EnumMap<>(RefusalReason.class);
    private final Counter submittedBatches;
    private final Counter decodedBatches;
    private final Counter admittedBatches;
    private final Counter admittedOrders;
    private final Counter committedBatches;
    private final Counter committedOrders;
    private final Counter committedBlocks;
    private final Counter verifiedSignatures;
    private final Counter deviceFaults;
    private final Map<IgnoreReason, Counter> ignoredMessages = new EnumMap<>(IgnoreReason.class);
    private final Counter viewChanges;
    private final Counter fetchedBatches;
    private final Counter transferredBlocks;
    private final Counter repairedBlocks;
    private final Counter cutFollowers;
    private final Counter equivocations;
    private final Counter refusedConnections;
    private final Counter refusedReads;
    private final Counter refusedRates;
    private final Counter peerDrops;
    private final Counter peerRequestDrops;
    private final Timer verifyTime;
    private final Timer commitTime;
    private final Timer submitToDeliver;
    private final BlockPhaseTimers phases;

    public NodeMetrics(MeterRegistry registry, NodeState state) {
        this.registry = registry;
        for (RefusalReason reason : RefusalReason.values()) {
            if (reason != RefusalReason.UNRECOGNIZED) {
                refusals.put(reason, counter("refusals", "How many batches of brokers were refused, and why?", reason));
            }
        }
        submittedBatches = counter("submitted.batches", "How many batches came from brokers?");
        decodedBatches = counter("decoded.batches", "Of how many batches was the header decoded, at each time?");
        admittedBatches = counter("admitted.batches", "How many batches of brokers were admitted here?");
        admittedOrders = counter("admitted.orders", "How many orders were in them?");
        committedBatches = counter("committed.batches", "How many batches has this node committed since its start?");
        committedOrders = counter("committed.orders", "How many orders were in them?");
        committedBlocks = counter("committed.blocks", "How many blocks has this node committed since its start?");
        verifiedSignatures = counter("verified.signatures", "How many signatures per second are verified?");
        deviceFaults = counter("device.faults", "Has an accelerator failed?");
        for (IgnoreReason reason : IgnoreReason.values()) {
            ignoredMessages.put(
                    reason,
                    counter("ignored.messages", "Do peers send messages that agreement refuses, and why?", reason));
        }
        viewChanges = counter("view.changes", "How often was a view entered?");
        fetchedBatches =
                counter("fetched.batches", "How many batches had to be asked for because they had not arrived?");
        transferredBlocks = counter("transferred.blocks", "How many blocks came by state transfer?");
        repairedBlocks = counter("archive.repaired.blocks", "How many damaged blocks came whole from peers?");
        cutFollowers = counter("cut.followers", "Are there followers too slow to be served?");
        equivocations = counter("session.equivocations", "How many sessions had two batches under one number?");
        refusedConnections =
                counter("gateway.refused.connections", "Do some hold more connections to the gateway than they may?");
        refusedReads = counter("gateway.refused.reads", "Do some follow more than they may?");
        refusedRates = counter("gateway.refused.rates", "Do some call or send faster than they may?");
        peerDrops = counter("peer.dropped.payloads", "Did peers spread batches faster than this node verifies?");
        peerRequestDrops = counter("peer.dropped.requests", "Did peers ask for more than this node serves?");
        verifyTime = timer("verify", "How long does one call of the verifier take?");
        commitTime = timer("commit", "How long do archive and hand-off of a block take?");
        submitToDeliver = timer("submit.to.deliver", "How long from the arrival of a batch to its block?");
        phases = new BlockPhaseTimers(registry);
        gauges(state);
    }

    private void gauges(NodeState state) {
        gauge("view", "Which view is it?", () -> state.agreement().view());
        gauge("primary", "Who is primary?", () -> state.agreement().primary());
        gauge(
                "view.active",
                "Is the view active (1) or being changed (0)?",
                () -> state.agreement().isViewActive() ? 1 : 0);
        gauge(
                "last.delivered",
                "What is the last block?",
                () -> state.lastBlock().sequence());
        gauge(
                "last.executed",
                "How far is the engine?",
                () -> state.lastResult().sequence());
        gauge(
                "stable.checkpoint",
                "What is the last certified block?",
                () -> state.agreement().lowWatermark());
        gauge(
                "high.watermark",
                "Up to which block may it propose or vote?",
                () -> state.agreement().highWatermark());
        gauge(
                "pending",
                "How many batches wait to be proposed?",
                () -> state.agreement().pendingBatches());
        gauge(
                "isolated",
                "At which checkpoint did this node's result differ from the quorum's (0 if it is not isolated)?",
                state::isolatedAt);
        gauge(
                "phase",
                "What is the node doing (NORMAL, VIEW_CHANGE, CATCHING_UP, ISOLATED, STOPPING as 0..4)?",
                () -> state.phase().ordinal());
    }

    /**
     * Adds a gauge that is read at each scrape.
     *
     * @param name without the prefix
     * @param question of an operator that it answers
     * @param value read on the thread that scrapes
     */
    public void gauge(String name, String question, Supplier<Number> value) {
        Gauge.builder(PREFIX + name, value).description(question).register(registry);
    }

    /**
     * Adds what a verifier counts, each as {@code sealbook.node.verifier.NAME}; its documentation has the questions.
     *
     * @param verifier kept by the caller for as long as it is to be counted
     */
    public void verifierCounters(SignatureVerifier verifier) {
        for (String name : verifier.counters().keySet()) {
            FunctionCounter.builder(
                            PREFIX + "verifier." + name,
                            verifier,
                            counted -> counted.counters().getOrDefault(name, 0L))
                    .description("Counted by verifier " + verifier.provider() + ".")
                    .register(registry);
        }
    }

    private Counter counter(String name, String question) {
        return Counter.builder(PREFIX + name).description(question).register(registry);
    }

    private Counter counter(String name, String question, Enum<?> reason) {
        return Counter.builder(PREFIX + name)
                .description(question)
                .tag("reason", reason.name())
                .register(registry);
    }

    private Timer timer(String name, String question) {
        return Timer.builder(PREFIX + name)
                .description(question)
                .publishPercentiles(0.5, 0.95, 0.99)
                .register(registry);
    }

    public MeterRegistry registry() {
        return registry;
    }

    public void submitted() {
        submittedBatches.increment();
    }

    /** Counts a batch of a broker. */
    public void refused(RefusalReason reason) {
        refusals.get(reason).increment();
    }

    /**
     * Counts a batch against the peer that sent it; rare, so the counter is looked up.
     *
     * @param peer member, from 0
     * @param reason the first rule that the batch broke
     */
    public void peerRefused(int peer, RefusalReason reason) {
        Counter.builder(PREFIX + "peer.refusals")
                .description("Which peer spreads batches that break the rules?")
                .tag("peer", Integer.toString(peer))
                .tag("reason", reason.name())
                .register(registry)
                .increment();
    }

    /** Counts a batch of a peer whose key this node does not know yet. */
    public void early(int peer) {
        Counter.builder(PREFIX + "peer.early")
                .description("Which peer spreads batches under keys that come with a block that is not here yet?")
                .tag("peer", Integer.toString(peer))
                .register(registry)
                .increment();
    }

    /** Returns how many batches of brokers were refused for this reason. */
    public long refusals(RefusalReason reason) {
        return (long) refusals.get(reason).count();
    }

    /** Returns how many batches of this peer were refused, for whatever reason. */
    public long peerRefusals(int peer) {
        return (long) registry.find(PREFIX + "peer.refusals").tag("peer", Integer.toString(peer)).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    public void decoded(int batchCount) {
        decodedBatches.increment(batchCount);
    }

    public long decodedBatches() {
        return (long) decodedBatches.count();
    }

    public void admitted(int orderCount) {
        admittedBatches.increment();
        admittedOrders.increment(orderCount);
    }

    /**
     * Counts verified signatures.
     *
     * @param signatureCount of one call of the verifier
     * @param nanos how long the call took
     */
    public void verified(int signatureCount, long nanos) {
        verifiedSignatures.increment(signatureCount);
        verifyTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void deviceFault() {
        deviceFaults.increment();
    }

    /**
     * Counts a block that is in the archive and handed on.
     *
     * @param batchCount its batches
     * @param orderCount their orders
     */
    public void committed(int batchCount, long orderCount) {
        committedBlocks.increment();
        committedBatches.increment(batchCount);
        committedOrders.increment(orderCount);
    }

    /** Notes how many nanoseconds archive and hand-off of a block took. */
    public void commitTook(long nanos) {
        commitTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void delivered(long nanosSinceArrival) {
        submitToDeliver.record(nanosSinceArrival, TimeUnit.NANOSECONDS);
    }

    /** Returns the timers of a block's life. */
    public BlockPhaseTimers phases() {
        return phases;
    }

    public long committedBatches() {
        return (long) committedBatches.count();
    }

    public long committedOrders() {
        return (long) committedOrders.count();
    }

    /** Counts a message of a peer that agreement did not take. */
    public void ignored(IgnoreReason reason) {
        ignoredMessages.get(reason).increment();
    }

    public void viewEntered() {
        viewChanges.increment();
    }

    public void fetched(int count) {
        fetchedBatches.increment(count);
    }

    public void transferred(int blockCount) {
        transferredBlocks.increment(blockCount);
    }

    /**
     * Begins the counts of each other member at 0: a counter that appears with its first event has no increase.
     *
     * @param nodeId this member
     * @param nodeCount number of members
     */
    public void peers(int nodeId, int nodeCount) {
        for (int peer = 0; peer < nodeCount; peer++) {
            if (peer != nodeId) {
                transferRefusalCounter(peer);
                blockRefusalCounter(peer);
                repairRefusalCounter(peer);
            }
        }
    }

    private Counter transferRefusalCounter(int peer) {
        return Counter.builder(PREFIX + "transfer.refusals")
                .description("Which peer hands over blocks that are not right?")
                .tag("peer", Integer.toString(peer))
                .register(registry);
    }

    private Counter blockRefusalCounter(int peer) {
        return Counter.builder(PREFIX + "peer.refused.blocks")
                .description("Which peer sends blocks that were not asked of it, or too late?")
                .tag("peer", Integer.toString(peer))
                .register(registry);
    }

    private Counter repairRefusalCounter(int peer) {
        return Counter.builder(PREFIX + "archive.repair.refusals")
                .description("Which peer sends something else than what the disk has damaged?")
                .tag("peer", Integer.toString(peer))
                .register(registry);
    }

    /** Counts what a peer sent for a repair and was not right; rare, so the counter is looked up. */
    public void repairRefused(int peer) {
        repairRefusalCounter(peer).increment();
    }

    /** Counts a damaged block that was written anew. */
    public void blockRepaired() {
        repairedBlocks.increment();
    }

    public long repairedBlocks() {
        return (long) repairedBlocks.count();
    }

    /** Counts blocks of a peer that were not right; rare, so the counter is looked up. */
    public void transferRefused(int peer) {
        transferRefusalCounter(peer).increment();
    }

    public long transferRefusals(int peer) {
        return (long) transferRefusalCounter(peer).count();
    }

    /** Counts blocks of a peer that no request expected; rare, so the counter is looked up. */
    public void peerBlocksRefused(int peer) {
        blockRefusalCounter(peer).increment();
    }

    public long peerBlockRefusals(int peer) {
        return (long) blockRefusalCounter(peer).count();
    }

    public long transferredBlocks() {
        return (long) transferredBlocks.count();
    }

    public void followerCut() {
        cutFollowers.increment();
    }

    public long cutFollowers() {
        return (long) cutFollowers.count();
    }

    public void peerPayloadDropped() {
        peerDrops.increment();
    }

    public void peerRequestDropped() {
        peerRequestDrops.increment();
    }

    /** Counts a connection to the gateway that was closed because of a limit. */
    public void gatewayConnectionRefused() {
        refusedConnections.increment();
    }

    /** Counts a broker that signed two batches under one number. */
    public void equivocated() {
        equivocations.increment();
    }

    /** Counts a call for receipts, blocks or a proof that was refused because of a limit. */
    public void gatewayReadRefused() {
        refusedReads.increment();
    }

    /** Counts a call or message at the gateway that was refused because its caller was too fast. */
    public void gatewayRateRefused() {
        refusedRates.increment();
    }
}
