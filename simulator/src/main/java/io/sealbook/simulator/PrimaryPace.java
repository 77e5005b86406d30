package io.sealbook.simulator;

import io.sealbook.node.admission.AdmissionLines;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.simulator.Processors.Work;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SessionKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * An experiment: brokers hand in batches at a steady rate, whatever comes of them, and the first primary serves all of
 * them alike, and slowly. How much of them is in blocks when they end, and how long did each wait?
 */
final class PrimaryPace {
    static final int PRIMARY = 0;
    private static final long MS = 1_000_000L;
    private static final long LOAD_FROM_NS = 500 * MS;
    private static final int BROKERS = 4;
    private static final int BLOCK_MAX_BATCHES = 16;
    /** Of the overloaded ones: the default of a chain. */
    private static final int LARGE_BLOCK_MAX_BATCHES = 500;

    private static final int IN_FLIGHT = 2_048;
    private static final int PROCESSORS = 2;
    private static final int RING_SIZE = 4_096;
    private static final long BUSY_RETRY_NS = 20 * MS;
    private static final long SLOW_TURN_NS = 1_500 * MS;
    private static final long PERIOD_NS = 5 * MS;
    private static final int BATCHES_PER_BURST = 400;
    private static final long RETRY_NS = 2 * MS;
    private static final long WATCH_NS = 5 * MS;
    private static final long STALL_EVERY_NS = 100 * MS;
    private static final long STALL_MAX_NS = 80 * MS;
    private static final long PAUSE_EVERY_NS = 1_000 * MS;
    private static final long PAUSE_NS = 300 * MS;
    private static final int WITHHOLDER = 3;
    private static final long VALID_UNTIL_BLOCK = 9_000;
    private static final long CHECKED_LOAD_NS = 10_000 * MS;
    private static final PaceCase[] CHECKED = {
        PaceCase.BLOCK_PER_450_MS,
        PaceCase.ONE_BATCH_PER_BLOCK,
        PaceCase.SLOW_LINKS,
        PaceCase.BUSY,
        PaceCase.WITHHELD,
        PaceCase.UNEVEN_OVERLOAD
    };

    /**
     * What a run came to.
     *
     * @param handedIn batches
     * @param inBlocks of them when the last had been handed in
     * @param waitNs of all of them together, from the member that took them to the first that had them in a block
     * @param waitMaxNs the longest wait
     * @param views begun after the first
     * @param fetched batches that the first primary asked others for
     */
    record Outcome(long handedIn, long inBlocks, long waitNs, long waitMaxNs, long views, long fetched) {
        Outcome plus(Outcome other) {
            return new Outcome(
                    handedIn + other.handedIn,
                    inBlocks + other.inBlocks,
                    waitNs + other.waitNs,
                    Math.max(waitMaxNs, other.waitMaxNs),
                    views + other.views,
                    fetched + other.fetched);
        }
    }

    private final PaceCase pace;
    private final SplittableRandom random;
    private final SplittableRandom ofStalls;
    private final Simulation simulation;
    private final Processors processors;
    /** Of each member, what waits for admission there. */
    private final List<AdmissionLines<Runnable>> lines;

    private final long loadNs;
    private final Map<Long, BatchPosition> next = new HashMap<>();
    /** When each batch was handed in that is in no block. */
    private final Map<Batch, Long> waiting = new LinkedHashMap<>();

    private long serial;
    private long inBlocks;
    private long waitNs;
    private long waitMaxNs;
    private long fetched;

    private PrimaryPace(long seed, PaceCase pace, long loadNs, boolean isJudged) {
        this.pace = pace;
        this.loadNs = loadNs;
        random = new SplittableRandom(seed ^ 0x9aceL);
        ofStalls = new SplittableRandom(seed ^ 0x57a11L);
        simulation = simulation(scenario(seed, pace, loadNs), isJudged);
        processors = new Processors(simulation, PROCESSORS);
        int members = simulation.scenario().replicaCount();
        lines = Stream.generate(() -> new AdmissionLines<Runnable>(RING_SIZE, members))
                .limit(members)
                .toList();
        int perBurst = pace == PaceCase.BURSTS ? BATCHES_PER_BURST : 1;
        for (long atNs = 0; atNs < loadNs; atNs += perBurst * PERIOD_NS) {
            simulation.after(
                    LOAD_FROM_NS + atNs, () -> handIn(pace.isOverloaded() ? IN_FLIGHT - waiting.size() : perBurst));
        }
        simulation.after(LOAD_FROM_NS + loadNs, () -> inBlocks = serial - waiting.size());
        watch();
        if (pace == PaceCase.BUSY) {
            stall();
        }
        if (pace == PaceCase.PAUSES) {
            pause();
        }
    }

    /**
     * Runs one cluster.
     *
     * @param seed of the run
     * @param pace of the primary, and what the cluster is like
     * @param loadNs how long batches come, 200 per second
     */
    static Outcome run(long seed, PaceCase pace, long loadNs) {
        PrimaryPace experiment = new PrimaryPace(seed, pace, loadNs, true);
        Simulation.Result result = experiment.simulation.run();
        experiment.noteDelivered();
        if (!experiment.waiting.isEmpty()) {
            throw new SimulationFailure(
                    "seed " + seed + ", " + pace + ": " + experiment.waiting.size() + " batches are in no block");
        }
        return new Outcome(
                experiment.serial,
                experiment.inBlocks,
                experiment.waitNs,
                experiment.waitMaxNs,
                result.views(),
                experiment.fetched);
    }

    /**
     * Runs one cluster in which no primary is judged for what it leaves unused.
     *
     * @param seed of the run
     * @param pace of the primary, and what the cluster is like
     * @param loadNs how long batches come, 200 per second
     * @return batches in blocks when the last one has been handed in
     */
    static long inBlocksWithoutTheRule(long seed, PaceCase pace, long loadNs) {
        PrimaryPace experiment = new PrimaryPace(seed, pace, loadNs, false);
        experiment.simulation.runUntil(LOAD_FROM_NS + loadNs);
        return experiment.inBlocks;
    }

    /**
     * Checks what brokers may expect: a primary that slows all alike is replaced, and a correct one is not, over slow
     * links, on busy machines and where a member keeps its batches from it.
     *
     * @param seed of the runs
     * @throws SimulationFailure if that is not so
     */
    static void check(long seed) {
        for (PaceCase pace : CHECKED) {
            Outcome outcome = run(seed, pace, CHECKED_LOAD_NS);
            if (outcome.views() > 0 != pace.isFaulty()) {
                throw new SimulationFailure("primary-pace, seed " + seed + ": " + pace + " " + outcome);
            }
        }
    }

    private static Scenario scenario(long seed, PaceCase pace, long loadNs) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        faults[PRIMARY] = pace.fault;
        return new Scenario(
                seed,
                faults.length,
                0,
                pace.isOverloaded() ? LARGE_BLOCK_MAX_BATCHES : BLOCK_MAX_BATCHES,
                8,
                16,
                64,
                BROKERS,
                loadNs + 20_000 * MS,
                0,
                0,
                MS,
                0,
                false,
                false,
                false,
                false,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    private Simulation simulation(Scenario scenario, boolean isJudged) {
        PaceCase chosen = pace;
        return new Simulation(scenario, null) {
            @Override
            Network network(SplittableRandom ofNetwork) {
                return new Network(scenario, ofNetwork) {
                    @Override
                    long delayNs(int from, int to) {
                        boolean isFar = chosen == PaceCase.FAR_PRIMARY && (from == PRIMARY || to == PRIMARY);
                        long distanceMs = chosen == PaceCase.SLOW_LINKS
                                ? 100
                                : isFar ? 50 : chosen == PaceCase.WITHHELD_WHILE_BUSY ? 25 : 2;
                        return distanceMs * MS + ofNetwork.nextLong(MS);
                    }
                };
            }

            @Override
            boolean hasHeartbeats() {
                return isJudged;
            }

            @Override
            boolean isAdministered() {
                return false;
            }

            @Override
            void onFetched(SimulatedNode node, int batchCount) {
                fetched += node.id == PRIMARY ? batchCount : 0;
            }

            @Override
            void compute(SimulatedNode node, NodeLife life, Work work, Runnable piece) {
                if (chosen.isOverloaded()) {
                    processors.compute(node.id, work, costNs(node.id, work), () -> node.during(life, piece));
                } else {
                    piece.run();
                }
            }

            @Override
            boolean enterRing(SimulatedNode node, int sender, Object holder, long delayNs, Runnable admission) {
                if (!chosen.isOverloaded()) {
                    return super.enterRing(node, sender, holder, delayNs, admission);
                }
                AdmissionLines<Runnable> waiting = lines.get(node.id);
                boolean isTaken = waiting.add(sender, holder, admission);
                if (isTaken) {
                    long costNs = costNs(node.id, Work.ADMISSION);
                    processors.compute(
                            node.id,
                            Work.ADMISSION,
                            costNs,
                            () -> waiting.next().run());
                }
                return isTaken;
            }

            @Override
            long pacedIntervalNs() {
                return chosen.intervalMs * MS;
            }

            @Override
            boolean spreads(int from, int to) {
                return !chosen.withholds() || from != WITHHOLDER || to != PRIMARY;
            }
        };
    }

    private long costNs(int node, Work work) {
        boolean isSlow = pace.isUneven() && simulation.nowNs() / SLOW_TURN_NS % 4 == node;
        long costNs = switch (work) {
            case ADMISSION -> MS;
            case AGREEMENT -> MS / 4;
            case COMMIT -> MS / 2;
            case EXECUTION -> 2 * MS;
        };
        return isSlow ? 3 * costNs : costNs;
    }

    private void handIn(int count) {
        for (int i = 0; i < count; i++) {
            int broker = 1 + random.nextInt(BROKERS);
            int session = random.nextInt(SimulatedMarket.SESSIONS_PER_KEY);
            // Each session at one member, none at the primary.
            int member = pace == PaceCase.WITHHELD ? WITHHOLDER : 1 + (broker + session) % 3;
            handIn(broker, session, member);
        }
    }

    private void handIn(int broker, int session, int member) {
        long sessionKey = SessionKey.of(broker, session);
        BatchPosition position = next.getOrDefault(sessionKey, BatchPosition.first(session));
        int key = SimulatedMarket.keyIndex(simulation.scenario(), broker);
        Batch batch = Batch.of(broker, key, position, ++serial, VALID_UNTIL_BLOCK, random);
        next.put(sessionKey, position.after(batch.batchId()));
        simulation.checker().onMade(batch);
        waiting.put(batch, simulation.nowNs());
        submit(batch, simulation.machineOf(member).orElseThrow());
    }

    private void submit(Batch batch, SimulatedNode node) {
        node.whileUp(life -> life.onSubmitted(batch, new Source(batch, node)));
    }

    private void watch() {
        simulation.after(WATCH_NS, () -> {
            noteDelivered();
            watch();
        });
    }

    private void noteDelivered() {
        for (Iterator<Map.Entry<Batch, Long>> i = waiting.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Batch, Long> entry = i.next();
            if (simulation.checker().isDelivered(entry.getKey().batchId())) {
                long waitedNs = simulation.nowNs() - entry.getValue();
                waitNs += waitedNs;
                waitMaxNs = Math.max(waitMaxNs, waitedNs);
                i.remove();
            }
        }
    }

    /** Each process stands still now and then, for less than makes it absent. */
    private void stall() {
        simulation.after(STALL_EVERY_NS, () -> {
            int member = ofStalls.nextInt(simulation.scenario().replicaCount());
            simulation.machineOf(member).orElseThrow().pause(ofStalls.nextLong(STALL_MAX_NS));
            stall();
        });
    }

    private void pause() {
        simulation.after(PAUSE_EVERY_NS, () -> {
            simulation.machineOf(PRIMARY).orElseThrow().pause(PAUSE_NS);
            pause();
        });
    }

    private final class Source implements BatchSource {
        private final Batch batch;
        private final SimulatedNode node;

        private Source(Batch batch, SimulatedNode node) {
            this.batch = batch;
            this.node = node;
        }

        @Override
        public int peer() {
            return BROKER;
        }

        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            if (verdict.status() == SubmitStatus.ACCEPTED && node.isCorrect()) {
                simulation.checker().onAccepted(node.id, batch);
            } else if (verdict.reason() == RefusalReason.SEQUENCE_GAP) {
                // It overtook the one before.
                simulation.after(pace.isOverloaded() ? BUSY_RETRY_NS : RETRY_NS, () -> submit(batch, node));
            } else if (verdict.reason() == RefusalReason.BUSY) {
                simulation.after(BUSY_RETRY_NS, () -> submit(batch, node));
            } else if (verdict.status() == SubmitStatus.REFUSED) {
                throw new SimulationFailure("node " + node.id + " refuses " + batch + ": " + verdict.reason());
            }
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
