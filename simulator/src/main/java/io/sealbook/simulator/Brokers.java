package io.sealbook.simulator;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The brokers: hand in batches in bursts, some of them twice under one number, and again until enough nodes have them
 * in a block or a node has refused them for good.
 */
final class Brokers {
    private static final long MS = 1_000_000L;
    private static final int VALID_FOR_BLOCKS = 9_000;

    private final Simulation simulation;
    private final Checker checker;
    private final SplittableRandom random;
    private final Map<Digest, Batch> batches = new LinkedHashMap<>();
    private final Set<Digest> refused = new HashSet<>();

    Brokers(Simulation simulation, Checker checker, SplittableRandom random) {
        this.simulation = simulation;
        this.checker = checker;
        this.random = random;
        Scenario scenario = simulation.scenario();
        Batch last = null;
        for (int i = 0; i < scenario.batchCount(); i++) {
            boolean isTwin = last != null && random.nextInt(16) == 0;
            int broker = isTwin ? last.broker() : 1 + random.nextInt(scenario.clientCount());
            long validUntil =
                    scenario.hasExpiry() && random.nextInt(4) == 0 ? 1 + random.nextInt(60) : VALID_FOR_BLOCKS;
            last = Batch.of(
                    broker,
                    SimulatedMarket.keyIndex(scenario, broker),
                    isTwin ? last.number() : i + 1,
                    validUntil,
                    random);
            batches.put(last.batchId(), last);
            checker.onMade(last);
        }
    }

    /** Hands all in while faults happen: in bursts, so that blocks fill and pipelines too. */
    void begin() {
        long chaosNs = simulation.scenario().chaosNs();
        for (Batch batch : batches.values()) {
            long burstNs = random.nextInt(20) * (chaosNs / 20);
            simulation.after(burstNs + random.nextLong(20 * MS), () -> submit(batch));
        }
    }

    /** Hands in again what f+1 nodes have not acknowledged. */
    void resubmit() {
        for (Batch batch : batches.values()) {
            if (isOpen(batch) || !checker.isAcknowledged(batch.batchId()) && isValid(batch) && !isRefused(batch)) {
                simulation.after(random.nextLong(MS), () -> submit(batch));
            }
        }
    }

    private void submit(Batch batch) {
        SimulatedNode node = simulation.anyNode();
        node.whileUp(life -> life.onSubmitted(batch, new Source(batch, node, life)));
    }

    private boolean isValid(Batch batch) {
        return checker.height() < batch.validUntilBlock();
    }

    private boolean isRefused(Batch batch) {
        return refused.contains(batch.batchId());
    }

    private boolean isOpen(Batch batch) {
        return !checker.isDelivered(batch.batchId()) && isValid(batch) && !isRefused(batch);
    }

    /** Returns the batches that must still be delivered. */
    List<Batch> open() {
        return new ArrayList<>(batches.values().stream().filter(this::isOpen).toList());
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
            } else if (verdict.status() == SubmitStatus.REFUSED && verdict.reason() != RefusalReason.EXPIRED_VALIDITY) {
                throw new SimulationFailure("node " + node.id + " refuses " + batch + ": " + verdict.reason());
            }
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
