package io.sealbook.simulator;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An experiment: a broker hands in batches at other members, and a broker whose member is the first primary answers
 * each as soon as that member sees it. How often is the answer before what it answers?
 */
final class FrontRunning {
    static final int PRIMARY = 0;
    private static final long MS = 1_000_000L;
    private static final int RUNNER = 1;
    private static final int VICTIM = 2;
    private static final long PERIOD_NS = 500 * MS;
    private static final long JITTER_NS = MS / 5;
    private static final long VALID_UNTIL_BLOCK = 9_000;

    /**
     * The cluster of a run.
     *
     * @param fault of the first primary: NONE or FRONT_RUNNING
     * @param isFair whether the chain has fair order
     * @param cases batches that are answered
     * @param hopNs from member to member
     * @param clockErrorNs of each clock at most
     */
    record Setting(Fault fault, boolean isFair, int cases, long hopNs, long clockErrorNs) {}

    /**
     * What a run came to.
     *
     * @param cases batches that were answered
     * @param ahead of which the answer is earlier in the chain
     * @param views begun after the first
     * @param batches in the chain
     * @param acknowledgements messages that acknowledge batches or report their arrival
     * @param acknowledgementBytes of them together
     */
    record Outcome(long cases, long ahead, long views, long batches, long acknowledgements, long acknowledgementBytes) {
        Outcome plus(Outcome other) {
            return new Outcome(
                    cases + other.cases,
                    ahead + other.ahead,
                    views + other.views,
                    batches + other.batches,
                    acknowledgements + other.acknowledgements,
                    acknowledgementBytes + other.acknowledgementBytes);
        }
    }

    private final Setting setting;
    private final SplittableRandom random;
    private final Simulation simulation;
    private final Map<Integer, BatchPosition> next = new HashMap<>();
    /** The answer to each batch of the victim, in the order of the answers. */
    private final Map<Digest, Digest> answers = new HashMap<>();

    private final List<Digest> asked = new ArrayList<>();
    private long serial;
    private long acknowledgements;
    private long acknowledgementBytes;

    private FrontRunning(long seed, Setting setting) {
        this.setting = setting;
        random = new SplittableRandom(seed ^ 0xf207L);
        simulation = simulation(scenario(seed, setting));
        for (int i = 0; i < setting.cases; i++) {
            simulation.after(
                    i * PERIOD_NS + random.nextLong(PERIOD_NS / 2),
                    () -> asked.add(handIn(
                            VICTIM, 1 + random.nextInt(simulation.scenario().replicaCount() - 1))));
        }
    }

    /**
     * Runs one cluster.
     *
     * @param seed of the run
     * @param setting of the cluster
     */
    static Outcome run(long seed, Setting setting) {
        FrontRunning experiment = new FrontRunning(seed, setting);
        Simulation.Result result = experiment.simulation.run();
        List<Digest> chain = experiment.simulation.checker().chain();
        long ahead = 0;
        for (Digest batch : experiment.asked) {
            Digest answer = experiment.answers.get(batch);
            if (!chain.contains(batch) || !chain.contains(answer)) {
                throw new SimulationFailure("seed " + seed + ", " + setting + ": a batch or its answer is in no block");
            }
            ahead += chain.indexOf(answer) < chain.indexOf(batch) ? 1 : 0;
        }
        return new Outcome(
                experiment.asked.size(),
                ahead,
                result.views(),
                chain.size(),
                experiment.acknowledgements,
                experiment.acknowledgementBytes);
    }

    /**
     * Checks what fair order promises: nobody comes before what it answers, and no correct primary is replaced.
     *
     * @param seed of the runs
     * @throws SimulationFailure if that is not so
     */
    static void check(long seed) {
        for (Fault fault : new Fault[] {Fault.FRONT_RUNNING, Fault.NONE}) {
            Outcome outcome = run(seed, new Setting(fault, true, 4, 5 * MS, MS / 2));
            boolean isReplaced = outcome.views() > 0;
            if (outcome.ahead() > 0 || isReplaced != (fault == Fault.FRONT_RUNNING)) {
                throw new SimulationFailure("front-running, seed " + seed + ": " + fault + " " + outcome);
            }
        }
    }

    private static Scenario scenario(long seed, Setting setting) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        faults[PRIMARY] = setting.fault;
        long durationNs = setting.cases * PERIOD_NS + 10_000 * MS;
        return new Scenario(
                seed,
                faults.length,
                0,
                8,
                8,
                16,
                64,
                2,
                durationNs,
                0,
                0,
                MS,
                0,
                false,
                false,
                false,
                setting.isFair,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    private Simulation simulation(Scenario scenario) {
        Setting chosen = setting;
        return new Simulation(scenario, null) {
            @Override
            Network network(SplittableRandom ofNetwork) {
                return new Network(scenario, ofNetwork) {
                    @Override
                    long delayNs() {
                        return chosen.hopNs + ofNetwork.nextLong(JITTER_NS);
                    }
                };
            }

            @Override
            long clockErrorMaxNs() {
                return Math.max(1, chosen.clockErrorNs);
            }

            @Override
            boolean isAdministered() {
                return false;
            }

            @Override
            void onArrival(SimulatedNode node, byte[] signedBatch) {
                if (node.id == PRIMARY) {
                    answer(BatchId.of(signedBatch));
                }
            }

            @Override
            boolean passes(int from, int to, Message vote) {
                if (vote instanceof Arrivals || vote instanceof BatchAck) {
                    acknowledgements++;
                    acknowledgementBytes += PeerMessageCodec.encode(vote).length;
                }
                return super.passes(from, to, vote);
            }
        };
    }

    /** Whatever the victim's batch says, the runner wants to be before it. */
    private void answer(Digest batchId) {
        if (asked.contains(batchId) && !answers.containsKey(batchId)) {
            answers.put(batchId, handIn(RUNNER, PRIMARY));
        }
    }

    private Digest handIn(int broker, int nodeId) {
        BatchPosition position = next.getOrDefault(broker, BatchPosition.first(1));
        Scenario scenario = simulation.scenario();
        Batch batch = Batch.of(
                broker, SimulatedMarket.keyIndex(scenario, broker), position, ++serial, VALID_UNTIL_BLOCK, random);
        next.put(broker, position.after(batch.batchId()));
        simulation.checker().onMade(batch);
        SimulatedNode node = simulation.machineOf(nodeId).orElseThrow();
        node.whileUp(life -> life.onSubmitted(batch, new Source(batch, node)));
        return batch.batchId();
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
