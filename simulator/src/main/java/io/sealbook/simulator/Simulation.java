package io.sealbook.simulator;

import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One run of a cluster on one thread and virtual time, decided by its scenario alone. First faults happen while batches come in; then
 * the network heals, every correct replica runs, and all batches must be executed on all of them within bounded time.
 */
class Simulation {
    /** What the replicas' clocks show at instant 0. */
    static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    private static final long MS = 1_000_000L;
    private static final long CHAIN_ID = 42;
    private static final long LIVENESS_BOUND_NS = 120_000 * MS;

    private record Event(long timeNs, long order, Runnable action) {}

    /** What a run amounted to. */
    record Result(long events, long blocks, long views, long virtualNs) {}

    private final Scenario scenario;
    private final Consumer<String> tracer;
    private final SplittableRandom random;
    private final Network network;
    private final Checker checker = new Checker();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final List<Batch> batches = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.timeNs != b.timeNs ? Long.compare(a.timeNs, b.timeNs) : Long.compare(a.order, b.order));
    private final long[] ignored = new long[IgnoreReason.values().length];
    private long nowNs;
    private long eventCount;
    private long scheduled;
    private long viewMax;
    private boolean isHealed;

    Simulation(Scenario scenario, Consumer<String> tracer) {
        this.scenario = scenario;
        this.tracer = tracer;
        random = new SplittableRandom(scenario.seed() ^ 0x5ea1b00cL);
        network = new Network(scenario, random.split());
        for (int i = 0; i < scenario.replicaCount(); i++) {
            Fault fault = scenario.faults()[i];
            for (int twin = fault == Fault.TWIN ? 2 : 1; twin > 0; twin--) {
                nodes.add(new SimulatedNode(this, i, fault, config(i), random.split()));
            }
        }
    }

    private ReplicaConfig config(int replica) {
        return ReplicaConfig.builder(replica, scenario.replicaCount(), CHAIN_ID)
                .block(scenario.blockMaxBatches(), 50 * MS)
                .windows(scenario.pipelineWindow(), scenario.checkpointInterval(), scenario.logWindow())
                .timeouts(1_000 * MS, 8_000 * MS)
                .memory(Math.max(64, scenario.batchCount()), 1_024)
                .statusIntervalNs(100 * MS)
                .fetchDelayNs(5 * MS)
                .build();
    }

    /** Runs to the end. */
    Result run() {
        try {
            nodes.forEach(SimulatedNode::start);
            scheduleBatches();
            schedulePartitions();
            runUntil(scenario.chaosNs());
            heal();
            long deadlineNs = nowNs + LIVENESS_BOUND_NS;
            while (!isDone()) {
                if (nowNs >= deadlineNs) {
                    throw new SimulationFailure("no recovery within " + LIVENESS_BOUND_NS / MS + " ms after healing: "
                            + undelivered() + " batches undelivered");
                }
                resubmit();
                runUntil(nowNs + 1_000 * MS);
            }
            return new Result(eventCount, checker.height(), viewMax, nowNs);
        } catch (RuntimeException e) {
            throw new SimulationFailure(
                    scenario + "\n  at " + nowNs / MS + " ms, event " + eventCount + ": " + e + "\n  "
                            + String.join(
                                    "\n  ", nodes.stream().map(Object::toString).toList()) + "\n  refused: "
                            + refusals(),
                    e);
        }
    }

    private String refusals() {
        List<String> counts = new ArrayList<>();
        for (IgnoreReason reason : IgnoreReason.values()) {
            if (ignored[reason.ordinal()] > 0) {
                counts.add(reason + " " + ignored[reason.ordinal()]);
            }
        }
        return String.join(", ", counts);
    }

    private void runUntil(long endNs) {
        while (!events.isEmpty() && events.peek().timeNs <= endNs) {
            Event event = events.poll();
            nowNs = event.timeNs;
            eventCount++;
            event.action.run();
        }
        nowNs = endNs;
    }

    // What happens to the cluster.

    private void scheduleBatches() {
        for (int i = 0; i < scenario.batchCount(); i++) {
            Digest batchId = Digest.sha256(
                    ByteBuffer.allocate(16).putLong(scenario.seed()).putLong(i).array());
            long validUntil = scenario.hasExpiry() && random.nextInt(4) == 0 ? random.nextInt(1, 60) : Long.MAX_VALUE;
            Batch batch = new Batch(batchId, random.nextInt(scenario.clientCount()), validUntil);
            batches.add(batch);
            checker.onSubmitted(batch);
            // In bursts, so that blocks fill and pipelines too.
            long burstNs = random.nextInt(20) * (scenario.chaosNs() / 20);
            after(burstNs + random.nextLong(20 * MS), () -> anyNode().onSubmitted(batch));
        }
    }

    private SimulatedNode anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void schedulePartitions() {
        if (!scenario.hasPartitions()) {
            return;
        }
        after(random.nextLong(3_000 * MS), () -> {
            if (isHealed) {
                return;
            }
            switch (random.nextInt(4)) {
                case 0 -> network.joinAll();
                case 1 -> network.split();
                case 2 -> network.isolate(random.nextInt(scenario.replicaCount()));
                default -> network.isolate(nodes.getFirst().replica().primary());
            }
            trace(null, "partitions change");
            schedulePartitions();
        });
    }

    private void heal() {
        isHealed = true;
        network.heal();
        trace(null, "healed");
        for (SimulatedNode node : nodes) {
            if (node.isCorrect() && !node.isUp()) {
                node.start();
            }
        }
    }

    /** Brokers hand in again what f+1 nodes have not acknowledged. */
    private void resubmit() {
        for (Batch batch : batches) {
            if (!isAcknowledged(batch) && checker.height() < batch.validUntilBlock()) {
                SimulatedNode node = anyNode();
                after(random.nextLong(MS), () -> node.onSubmitted(batch));
            }
        }
    }

    private boolean isAcknowledged(Batch batch) {
        return nodes.stream()
                        .filter(node -> node.isCorrect() && node.hasArchived(batch.batchId()))
                        .count()
                > (scenario.replicaCount() - 1) / 3;
    }

    private long undelivered() {
        return batches.stream()
                .filter(batch -> !checker.isDelivered(batch.batchId()) && checker.height() < batch.validUntilBlock())
                .count();
    }

    private boolean isDone() {
        if (undelivered() > 0) {
            return false;
        }
        long height = checker.height();
        return nodes.stream()
                .filter(SimulatedNode::isCorrect)
                .allMatch(node -> node.height() == height && (height == 0 || node.resultAt(height) != null));
    }

    // What the nodes need of the world.

    Scenario scenario() {
        return scenario;
    }

    Checker checker() {
        return checker;
    }

    long nowNs() {
        return nowNs;
    }

    // Where tests of the checker plant bugs.

    Replica newReplica(ReplicaConfig config, int id) {
        return new Replica(config, ToySignatures.signer(id));
    }

    /** Returns whether the node's log loses the record. */
    boolean forgets(SimulatedNode node, ReplicaRecord record) {
        return false;
    }

    /** Returns whether a crash takes a record that was synced. */
    boolean forgetsAfterCrash(ReplicaRecord record) {
        return false;
    }

    /** Returns whether a shell says that it holds a payload which it lacks. */
    boolean claimsToHold(Digest batchId) {
        return false;
    }

    /** Returns whether shells verify signatures. */
    boolean verifies() {
        return true;
    }

    // Time and network.

    void after(long delayNs, Runnable action) {
        events.add(new Event(nowNs + delayNs, scheduled++, action));
    }

    void send(SimulatedNode from, int to, Message message) {
        boolean isGenuine = !verifies() || ToySignatures.isGenuine(message, CHAIN_ID, scenario.replicaCount());
        transmit(from, to, node -> node.onMessage(message, isGenuine));
    }

    private void transmit(SimulatedNode from, int to, Consumer<SimulatedNode> arrival) {
        for (SimulatedNode node : nodes) {
            if (node.id != to) {
                continue;
            }
            for (int copies = network.copies(from.id, to); copies > 0; copies--) {
                after(network.delayNs(), () -> arrival.accept(node));
            }
        }
    }

    void spread(SimulatedNode from, Batch batch) {
        for (int to = 0; to < scenario.replicaCount(); to++) {
            if (to != from.id) {
                sendPayload(from, to, batch);
            }
        }
    }

    void sendPayload(SimulatedNode from, int to, Batch batch) {
        transmit(from, to, node -> node.onPayload(batch));
    }

    void requestPayloads(SimulatedNode from, int to, List<Digest> batchIds) {
        transmit(from, to, node -> node.onPayloadRequest(from, batchIds));
    }

    void requestBlocks(SimulatedNode from, int to, long first, long last) {
        transmit(from, to, node -> node.onBlockRequest(from, first, last));
    }

    void sendBlocks(SimulatedNode from, SimulatedNode to, long first, List<Proposal> blocks, List<Batch> payloads) {
        transmit(from, to.id, node -> node.onBlocks(first, blocks, payloads));
    }

    boolean isCrashDue(SplittableRandom ofNode) {
        return !isHealed && ofNode.nextInt(1_000) < scenario.crashPerMille();
    }

    void onCrash(SimulatedNode node) {
        after(random.nextLong(3_000 * MS), () -> {
            if (!node.isUp()) {
                trace(node, "starts again");
                node.start();
            }
        });
    }

    void onViewEntered(SimulatedNode node, long view) {
        if (node.isCorrect()) {
            viewMax = Math.max(viewMax, view);
        }
    }

    void onIgnored(IgnoreReason reason) {
        ignored[reason.ordinal()]++;
    }

    void trace(SimulatedNode node, Object what) {
        if (tracer != null) {
            tracer.accept(nowNs / 1_000 + " us " + (node == null ? "" : "replica " + node.id + " ") + what);
        }
    }

    @Override
    public String toString() {
        return scenario + " " + Arrays.toString(ignored);
    }
}
