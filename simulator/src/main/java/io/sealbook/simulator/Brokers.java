package io.sealbook.simulator;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The brokers: hand in the batches of their sessions in order and in bursts, each session at any node, and again until
 * enough nodes have them in a block. In one session of each broker some numbers are signed twice.
 */
final class Brokers {
    private static final long MS = 1_000_000L;
    private static final int BURSTS = 20;
    /** Batches under its numbers are signed twice now and then. */
    private static final int EQUIVOCATING_SESSION = 0;

    private static final int VALID_FOR_BLOCKS = 9_000;

    private final Simulation simulation;
    private final Checker checker;
    private final SplittableRandom random;
    private final Map<Digest, Batch> batches = new LinkedHashMap<>();
    /** Batches of the equivocating sessions' second versions, which are handed in elsewhere than the first. */
    private final Set<Digest> others = new HashSet<>();

    private final Set<Digest> refused = new HashSet<>();
    /** How many batches have been handed in so far. */
    private int begun;

    Brokers(Simulation simulation, Checker checker, SplittableRandom random) {
        this.simulation = simulation;
        this.checker = checker;
        this.random = random;
        Scenario scenario = simulation.scenario();
        Map<Long, BatchPosition> next = new HashMap<>();
        Map<Long, BatchPosition> nextOfOther = new HashMap<>();
        for (int i = 0; i < scenario.batchCount(); i++) {
            int broker = 1 + random.nextInt(scenario.clientCount());
            int session = random.nextInt(SimulatedMarket.SESSIONS_PER_KEY);
            BatchPosition position = next.getOrDefault(SessionKey.of(broker, session), BatchPosition.first(session));
            Batch batch = make(broker, position, i + 1);
            next.put(SessionKey.of(broker, session), position.after(batch.batchId()));
            if (session == EQUIVOCATING_SESSION && random.nextInt(2) == 0) {
                long sessionKey = SessionKey.of(broker, session);
                // Half of them go on with the version that this broker has begun beside the first.
                BatchPosition begun = nextOfOther.get(sessionKey);
                BatchPosition forked = begun == null || random.nextBoolean() ? position : begun;
                Batch other = make(broker, forked, scenario.batchCount() + i + 1);
                nextOfOther.put(sessionKey, forked.after(other.batchId()));
                others.add(other.batchId());
            }
        }
    }

    private Batch make(int broker, BatchPosition position, long serial) {
        Scenario scenario = simulation.scenario();
        long validUntil = scenario.hasExpiry() && random.nextInt(4) == 0 ? 1 + random.nextInt(60) : VALID_FOR_BLOCKS;
        Batch batch =
                Batch.of(broker, SimulatedMarket.keyIndex(scenario, broker), position, serial, validUntil, random);
        batches.put(batch.batchId(), batch);
        checker.onMade(batch);
        return batch;
    }

    /** Hands all in while faults happen: in bursts, so that blocks fill and pipelines too. */
    void begin() {
        long burstNs = simulation.scenario().chaosNs() / BURSTS;
        for (int burst = 0; burst < BURSTS; burst++) {
            simulation.after(burst * burstNs, this::submitBurst);
        }
    }

    private void submitBurst() {
        begun = (int) Math.min(batches.size(), (long) begun + simulation.batchesPerBurst());
        submitOpen();
    }

    /** Hands in again what f+1 nodes have not acknowledged, and all that is left. */
    void resubmit() {
        begun = batches.size();
        submitOpen();
    }

    /** Hands in a part of each session in order, to one node each: a session goes on where that node expects it. */
    private void submitOpen() {
        Map<Long, SimulatedNode> nodes = new HashMap<>();
        Map<Long, Long> delays = new HashMap<>();
        for (Batch batch : batches.values().stream().limit(begun).toList()) {
            if (isRefused(batch) || checker.isDelivered(batch.batchId()) && checker.isAcknowledged(batch.batchId())) {
                continue;
            }
            long sessionKey = SessionKey.of(batch.broker(), batch.position().session());
            long session = others.contains(batch.batchId()) ? -sessionKey : sessionKey;
            SimulatedNode node = nodes.computeIfAbsent(session, key -> simulation.anyNode());
            long delayNs = delays.merge(session, random.nextLong(1, MS), Long::sum);
            simulation.after(delayNs, () -> submit(batch, node));
        }
    }

    private void submit(Batch batch, SimulatedNode node) {
        node.whileUp(life -> life.onSubmitted(batch, new Source(batch, node, life)));
    }

    private boolean isRefused(Batch batch) {
        return refused.contains(batch.batchId());
    }

    private static boolean isEquivocating(Batch batch) {
        return batch.position().session() == EQUIVOCATING_SESSION;
    }

    /** Returns the batches that must still be delivered: all of brokers' sound sessions, expired or not. */
    List<Batch> open() {
        return batches.values().stream()
                .filter(batch -> !checker.isDelivered(batch.batchId()) && !isEquivocating(batch))
                .toList();
    }

    private final class Source implements BatchSource {
        private final Batch batch;
        private final SimulatedNode node;
        private final boolean isAskedFor;

        private Source(Batch batch, SimulatedNode node, NodeLife life) {
            this.batch = batch;
            this.node = node;
            this.isAskedFor = life.isWanted(batch.batchId());
        }

        @Override
        public int peer() {
            return BROKER;
        }

        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            if (!node.isCorrect()) {
                return;
            }
            if (verdict.status() == SubmitStatus.ACCEPTED && !isAskedFor) {
                checker.onAccepted(node.id, batch);
            } else if (verdict.reason() == RefusalReason.NUMBER_TAKEN) {
                checker.onNumberRefused(node.id, batch);
                refused.add(batch.batchId());
            } else if (isEquivocating(batch)
                    && (verdict.reason() == RefusalReason.SESSION_SUSPENDED
                            || verdict.reason() == RefusalReason.BROKEN_CHAIN)) {
                refused.add(batch.batchId());
            } else if (verdict.status() == SubmitStatus.REFUSED && verdict.reason() != RefusalReason.SEQUENCE_GAP) {
                throw new SimulationFailure("node " + node.id + " refuses " + batch + ": " + verdict.reason());
            }
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
