package io.sealbook.simulator;

import io.sealbook.archive.storage.Storage;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Message;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * One run of a cluster on one thread and virtual time, decided by its scenario alone. First faults happen while batches
 * come in; then the network heals, every correct node runs, and all batches must be executed on all of them within
 * bounded time.
 */
class Simulation {
    /** What the nodes' clocks show at instant 0. */
    static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    /** Nodes that transactions add to those of the genesis file, at most. */
    static final int ADDED_NODES_MAX = 2;

    private static final long MS = 1_000_000L;
    private static final long LIVENESS_BOUND_NS = 120_000 * MS;
    private static final long SHORT_PAUSE_MAX_NS = 400 * MS;
    private static final long PAUSE_MAX_NS = 10_000 * MS;

    /** What a run amounted to. */
    record Result(
            long events,
            long blocks,
            long views,
            long crashes,
            long transfers,
            long repairs,
            long certificateRepairs,
            long startRepairs,
            long evidence,
            MachineFaults machines,
            long virtualNs) {}

    private final Scenario scenario;
    private final Consumer<String> tracer;
    private final ProtocolObserver observer;
    private final GenesisFile genesis;
    private final SplittableRandom random;
    private final Network network;
    private final Wire wire;
    private final Interference interference;
    private final Schedule schedule = new Schedule();
    private final Checker checker;
    private final Brokers brokers;
    private final Administration administration;
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final Refusals refusals = new Refusals();
    private long viewMax;
    private long crashes;
    private long transfers;
    private long repairs;
    private long certificateRepairs;
    private long startRepairs;
    private final MachineFaults machines;
    private final ArchivedCertificates certificates;
    private boolean isHealed;
    private final SplittableRandom ofHeartbeats;

    Simulation(Scenario scenario, Consumer<String> tracer) {
        this(scenario, tracer, ProtocolObserver.NONE);
    }

    /**
     * Makes the cluster of a scenario.
     *
     * @param scenario which decides everything
     * @param tracer takes a line for each fact, or null
     * @param observer is notified of what correct replicas do in agreement
     */
    Simulation(Scenario scenario, Consumer<String> tracer, ProtocolObserver observer) {
        this.scenario = scenario;
        this.tracer = tracer;
        this.observer = observer;
        genesis = GenesisFile.parse(
                GenesisFile.toJson(SimulatedMarket.genesis(scenario)).getBytes(StandardCharsets.UTF_8));
        random = new SplittableRandom(scenario.seed() ^ 0x5ea1b00cL);
        ofHeartbeats = new SplittableRandom(scenario.seed() ^ 0xbea75L);
        network = network(random.split());
        wire = new Wire(this, network, nodes);
        interference = new Interference(scenario);
        checker = new Checker(scenario);
        int twinPlace = Network.twinPlace(scenario);
        for (int i = 0; i < scenario.replicaCount(); i++) {
            Fault fault = scenario.faults()[i];
            nodes.add(new SimulatedNode(this, i, i, i, fault, random.split()));
            if (fault == Fault.TWIN) {
                nodes.add(new SimulatedNode(this, i, twinPlace++, i, fault, random.split()));
            }
        }
        brokers = new Brokers(this, checker, random.split());
        administration = new Administration(this, checker);
        machines = MachineFaults.of(this, nodes);
        certificates = new ArchivedCertificates(genesis.genesis(), checker);
    }

    /** Runs to the end. */
    Result run() {
        return judged(this::runToTheEnd);
    }

    /**
     * Runs for a while, and asks for no recovery.
     *
     * @param endNs virtual time of the end, in nanoseconds
     */
    Result runUntil(long endNs) {
        return judged(() -> {
            begin();
            schedule.runUntil(endNs);
        });
    }

    private Result judged(Runnable work) {
        try {
            work.run();
            return result();
        } catch (RuntimeException e) {
            throw new SimulationFailure(
                    scenario + "\n  at " + nowNs() / MS + " ms, event " + schedule.eventCount() + ": " + e + "\n  "
                            + String.join(
                                    "\n  ", nodes.stream().map(Object::toString).toList()) + "\n  refused: "
                            + refusals,
                    e);
        }
    }

    private void begin() {
        nodes.forEach(SimulatedNode::start);
        brokers.begin();
        administration.begin();
        schedulePartitions();
        machines.begin(scenario);
        if (scenario.crashPerMille() > 0) {
            scheduleStops(new SplittableRandom(scenario.seed()));
            schedulePauses(new SplittableRandom(scenario.seed() ^ 0x9a05eL));
        }
    }

    private void runToTheEnd() {
        begin();
        schedule.runUntil(scenario.chaosNs());
        heal();
        long deadlineNs = nowNs() + LIVENESS_BOUND_NS;
        for (List<String> missing = missing(); !missing.isEmpty(); missing = missing()) {
            if (nowNs() >= deadlineNs) {
                throw new SimulationFailure("no recovery within " + LIVENESS_BOUND_NS / MS + " ms after healing: "
                        + String.join(", ", missing));
            }
            brokers.resubmit();
            schedule.runUntil(nowNs() + 1_000 * MS);
        }
        nodes.stream().filter(SimulatedNode::isCorrect).forEach(checker::onEnd);
    }

    private Result result() {
        return new Result(
                schedule.eventCount(),
                checker.height(),
                viewMax,
                crashes,
                transfers,
                repairs,
                certificateRepairs,
                startRepairs,
                checker.evidenceCount(),
                machines,
                nowNs());
    }

    // What happens to the cluster.

    /** Returns a node that another source of random numbers chooses. */
    SimulatedNode anyNodeOf(SplittableRandom other) {
        return nodes.get(other.nextInt(nodes.size()));
    }

    /** Returns whether a correct node knows, and can prove, that the epoch of a member's first machine has ended. */
    boolean hasReplaced(int member) {
        return nodes.stream().anyMatch(node -> node.isCorrect() && node.hasReplaced(member));
    }

    /** Returns whether a correct node knows, and can prove, that an epoch with this number of nodes began. */
    boolean hasNodes(int count) {
        return nodes.stream().anyMatch(node -> node.isCorrect() && node.nodeCount() == count);
    }

    /**
     * Starts another machine, which takes part once a transaction names its key.
     *
     * @param id of the node
     * @param key of its identity, among the toy keys
     * @param ofNode source of its random numbers
     */
    void addMachine(int id, int key, SplittableRandom ofNode) {
        SimulatedNode added = new SimulatedNode(this, id, id, key, Fault.NONE, ofNode);
        nodes.add(added);
        trace(added, "is a new machine");
        added.start();
    }

    /** Ends a machine for good. */
    void removeMachine(int id) {
        SimulatedNode removed = machineOf(id).orElseThrow();
        removed.retire();
        nodes.remove(removed);
    }

    /** Returns the machine of a member; empty if it is not started yet, or given up. */
    Optional<SimulatedNode> machineOf(int member) {
        return nodes.stream().filter(node -> node.id == member).findFirst();
    }

    /** Returns the primary of the highest view that a correct node has entered. */
    int anyPrimary() {
        return (int) (viewMax % scenario.replicaCount());
    }

    SimulatedNode anyNode() {
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
                default -> network.isolate(nodes.getFirst().primary());
            }
            trace(null, "partitions change");
            wire.onDivided();
            schedulePartitions();
        });
    }

    /** Now and then an operator stops a node, mostly a primary. */
    private void scheduleStops(SplittableRandom ofStops) {
        after(ofStops.nextLong(4_000 * MS), () -> {
            if (isHealed) {
                return;
            }
            SimulatedNode any = nodes.get(ofStops.nextInt(nodes.size()));
            SimulatedNode node =
                    ofStops.nextInt(4) == 0 ? any : machineOf(any.primary()).orElse(any);
            if (node.isCorrect()) {
                node.stopOrderly(ofStops.nextLong(500 * MS));
            }
            scheduleStops(ofStops);
        });
    }

    /** Now and then a process stands still, mostly a primary's: for a moment, or for longer than all timeouts. */
    private void schedulePauses(SplittableRandom ofPauses) {
        after(ofPauses.nextLong(3_000 * MS), () -> {
            if (isHealed) {
                return;
            }
            SimulatedNode any = nodes.get(ofPauses.nextInt(nodes.size()));
            SimulatedNode node =
                    ofPauses.nextInt(4) == 0 ? any : machineOf(any.primary()).orElse(any);
            node.pause(ofPauses.nextLong(ofPauses.nextInt(4) == 0 ? PAUSE_MAX_NS : SHORT_PAUSE_MAX_NS));
            schedulePauses(ofPauses);
        });
    }

    private void heal() {
        isHealed = true;
        network.heal();
        interference.end();
        wire.onDivided();
        machines.fullDisks().end();
        trace(null, "healed");
        for (SimulatedNode node : nodes) {
            node.crashPoint.disarm();
            if (node.isCorrect() && !node.isUp()) {
                node.start();
            }
        }
        machines.engineErrors().end();
    }

    /** Returns what the cluster has not done yet; archives are compared once nothing else is missing. */
    private List<String> missing() {
        List<SimulatedNode> correct =
                nodes.stream().filter(SimulatedNode::isCorrect).toList();
        List<String> missing = new ArrayList<>();
        if (!brokers.open().isEmpty()) {
            missing.add(brokers.open().size() + " batches undelivered");
        }
        if (!administration.isDone()) {
            missing.add(administration.toString());
        }
        if (!correct.stream().allMatch(node -> node.hasExecuted(checker.height()))) {
            missing.add("not all have executed block " + checker.height());
        }
        if (correct.stream().anyMatch(SimulatedNode::isWaiting)) {
            missing.add("one waits for a session that others have withdrawn");
        }
        if (!doAllVote(correct)) {
            missing.add("not all take part in one view");
        }
        if (!correct.stream().allMatch(node -> node.hasCertified(checker.height()))) {
            missing.add("the last block is not certified");
        }
        if (missing.isEmpty() && !EqualArchives.areEqual(correct, certificates)) {
            missing.add("archives differ");
        }
        return missing;
    }

    /** Returns whether the nodes take part in one view: no node may be missing at the next fault. */
    private static boolean doAllVote(List<SimulatedNode> correct) {
        return correct.stream().allMatch(SimulatedNode::votes)
                && correct.stream().mapToInt(SimulatedNode::epoch).distinct().count() == 1
                && correct.stream().mapToLong(SimulatedNode::view).distinct().count() == 1;
    }

    // What the nodes need of the world.

    Scenario scenario() {
        return scenario;
    }

    GenesisFile genesis() {
        return genesis;
    }

    /** Returns the source of what decides about heartbeats, and nothing else. */
    SplittableRandom ofHeartbeats() {
        return ofHeartbeats;
    }

    MachineFaults machines() {
        return machines;
    }

    Checker checker() {
        return checker;
    }

    ProtocolObserver observer() {
        return observer;
    }

    Wire wire() {
        return wire;
    }

    long nowNs() {
        return schedule.nowNs();
    }

    void after(long delayNs, Runnable action) {
        schedule.after(delayNs, action);
    }

    // What some tests choose.

    Network network(SplittableRandom ofNetwork) {
        return new Network(scenario, ofNetwork);
    }

    /** Returns the time between two proposals of a paced primary: below the least REQUEST timeout, 500 ms. */
    long pacedIntervalNs() {
        return 450 * MS;
    }

    /** Returns how far the clock of a node is off at most. */
    long clockErrorMaxNs() {
        return 500 * MS;
    }

    /** Returns by how much the clocks of all nodes are ahead at this moment. */
    long clockLeadNs() {
        return 0;
    }

    /**
     * Returns whether nodes learn of each other's heartbeats: without, no primary is judged for silence or for what it
     * leaves unused.
     */
    boolean hasHeartbeats() {
        return true;
    }

    /** Returns whether members may change anything by transactions. */
    boolean isAdministered() {
        return true;
    }

    /**
     * A batch has come to a node.
     *
     * @param node that has it before it judges it
     * @param signedBatch with its signature
     */
    void onArrival(SimulatedNode node, byte[] signedBatch) {}

    /**
     * Has a thread of a node do something that takes processor time; none unless an experiment counts it.
     *
     * @param node whose thread it is
     * @param life of the node's process; what it has not done when it ends is never done
     * @param work of the thread
     * @param piece is done once
     */
    void compute(SimulatedNode node, NodeLife life, Processors.Work work, Runnable piece) {
        piece.run();
    }

    /**
     * Has a node admit a batch that has come; others may overtake it. There is room for all, unless an experiment
     * counts processor time.
     *
     * @param node that it came to
     * @param sender number of a peer, or {@link io.sealbook.node.admission.BatchSource#BROKER}
     * @param holder of those that share the sender's line
     * @param delayNs of the threads before admission
     * @param admission is done once
     * @return false if there is no room
     */
    boolean enterRing(SimulatedNode node, int sender, Object holder, long delayNs, Runnable admission) {
        after(delayNs, admission);
        return true;
    }

    /** Returns how many further batches each burst brings. */
    int batchesPerBurst() {
        return Integer.MAX_VALUE;
    }

    // Where tests of the checker plant bugs.

    NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
        return NodeCore.open(setup, files, ports);
    }

    /** Returns the files of a node's replica log, watched by the checker. */
    Storage watch(SimulatedNode node, Storage files, Durability durability) {
        return new WatchedStorage(files, durability, record -> onDurable(node, record));
    }

    final void onDurable(SimulatedNode node, ReplicaRecord record) {
        if (node.isCorrect()) {
            checker.onDurable(node.id, record);
            observer.onDurable(node.id, record);
        }
    }

    final void onRecovered(SimulatedNode node, List<ReplicaRecord> records, long archived) {
        if (node.isCorrect()) {
            checker.onRecovered(node.id, records);
            observer.onStarted(node.id, records, archived);
        }
    }

    /** Returns what verifies batches and certificates. */
    SignatureVerifier verifier() {
        return new ToySignatures();
    }

    /** Returns what verifies votes. */
    SignatureVerifier verifierOfVotes() {
        return new ToySignatures();
    }

    // Faults and facts.

    boolean isCrashDue(SplittableRandom ofNode) {
        return !isHealed && ofNode.nextInt(10_000) < scenario.crashPerMille();
    }

    void onCrash(SimulatedNode node) {
        crashes++;
        after(random.nextLong(3_000 * MS), () -> {
            if (!node.isUp()) {
                trace(node, "starts again");
                node.start();
            }
        });
    }

    void onStartRepaired() {
        startRepairs++;
    }

    boolean isHealed() {
        return isHealed;
    }

    void onRepaired() {
        repairs++;
    }

    /**
     * A node has closed a gap in its log of certificates.
     *
     * @param node whose archive it is
     * @param after last certificate before the gap
     * @param before first one after it
     * @param count of those in it
     */
    void onCertificatesRepaired(SimulatedNode node, long after, long before, int count) {
        certificates.onRepaired(node, after, before, count);
        certificateRepairs += count;
    }

    void onTransfer() {
        transfers++;
    }

    void onViewEntered(SimulatedNode node, long view) {
        trace(node, "enters view " + view);
        if (node.isCorrect()) {
            viewMax = Math.max(viewMax, view);
            interference.onViewEntered(view);
        }
    }

    /** Returns whether a vote gets on its way at all. */
    boolean passes(int from, int to, Message vote) {
        return interference.passes(from, to, vote);
    }

    /** Of faulty nodes too: what they find is made by the code that ships. */
    void onEvidence(SimulatedNode node, MemberEvidence evidence) {
        boolean isFaulty = evidence.member() < scenario.replicaCount() && scenario.isFaulty(evidence.member());
        checker.onEvidence(node.id, evidence, node.isGenuine(evidence), isFaulty);
    }

    /** Returns whether a member sends batches to another one. */
    boolean spreads(int from, int to) {
        return true;
    }

    /**
     * A node asks others for batches.
     *
     * @param node that lacks them
     * @param batchCount how many, each time it asks
     */
    void onFetched(SimulatedNode node, int batchCount) {}

    void onIgnored(IgnoreReason reason) {
        refusals.add(reason);
    }

    void trace(SimulatedNode node, Object what) {
        if (tracer != null) {
            tracer.accept(nowNs() / 1_000 + " us " + (node == null ? "" : "node " + node.id + " ") + what);
        }
    }

    @Override
    public String toString() {
        return scenario + " " + refusals;
    }
}
