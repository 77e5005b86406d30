package io.sealbook.simulator;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The choices of one seed.
 *
 * @param batchCount batches submitted while faults happen
 * @param chaosNs how long faults happen; afterwards the network heals and every correct replica runs
 * @param lossPerMille of the messages
 * @param duplicatePerMille of the messages
 * @param delayMaxNs of a message that is not held up
 * @param crashPerMille of the duty cycles with outputs
 * @param isDisk whether a crash loses what was not synced
 * @param isFair whether the chain has fair order
 * @param proposesAfter whether a primary awaits the certified result of a block
 * @param guidedViews views in which votes reach a part of the replicas only, see {@link Interference}; 0 for none
 * @param faults by replica; at most f differ from NONE
 */
record Scenario(
        long seed,
        int replicaCount,
        int batchCount,
        int blockMaxBatches,
        int pipelineWindow,
        int checkpointInterval,
        int logWindow,
        int clientCount,
        long chaosNs,
        int lossPerMille,
        int duplicatePerMille,
        long delayMaxNs,
        int crashPerMille,
        boolean hasPartitions,
        boolean isDisk,
        boolean hasExpiry,
        boolean isFair,
        ProposesAfter proposesAfter,
        int guidedViews,
        Fault[] faults) {
    static final long MS = 1_000_000L;
    private static final Fault[] DRAWN_FAULTS = {
        Fault.SILENT_PRIMARY, Fault.MUTE, Fault.EQUIVOCATE, Fault.LIE, Fault.TWIN
    };
    private static final Fault[] SILENT_OR_WORSE = {
        Fault.SILENT_PRIMARY, Fault.SLOW_PRIMARY, Fault.STARVING, Fault.PACED_PRIMARY, Fault.TRICKLING
    };

    static Scenario of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int replicaCount = random.nextInt(10) < 7 ? 4 : 4 + random.nextInt(7);
        int checkpointInterval = 1 << random.nextInt(1, 5);
        int logWindow = checkpointInterval * random.nextInt(2, 5);
        int pipelineWindow = 1 + random.nextInt(Math.min(logWindow, 16));
        Fault[] faults = new Fault[replicaCount];
        Arrays.fill(faults, Fault.NONE);
        if (random.nextInt(4) != 0) {
            int faulty = 1 + random.nextInt((replicaCount - 1) / 3);
            for (int i = 0; i < faulty; i++) {
                faults[random.nextInt(replicaCount)] = DRAWN_FAULTS[random.nextInt(DRAWN_FAULTS.length)];
            }
        }
        refine(faults, new SplittableRandom(seed ^ 0xfa017L));
        boolean isCalm = random.nextInt(8) == 0;
        return new Scenario(
                seed,
                replicaCount,
                60 + random.nextInt(240),
                1 + random.nextInt(12),
                pipelineWindow,
                checkpointInterval,
                logWindow,
                1 + random.nextInt(5),
                (5 + random.nextInt(20)) * 1_000 * MS,
                isCalm ? 0 : random.nextInt(150),
                isCalm ? 0 : random.nextInt(200),
                (1 + random.nextInt(80)) * MS,
                isCalm || random.nextInt(3) == 0 ? 0 : random.nextInt(1, 6),
                !isCalm && random.nextInt(3) != 0,
                random.nextBoolean(),
                random.nextInt(4) == 0,
                false,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    /**
     * Returns a scenario of few batches in which three to six views end with some replicas prepared, some committed and
     * others not; in half of them with other faults besides.
     */
    static Scenario guided(long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ 0x61_1ded_71e5L);
        int replicaCount = random.nextInt(10) < 7 ? 4 : 5 + random.nextInt(3);
        int checkpointInterval = 1 << random.nextInt(0, 4);
        int logWindow = checkpointInterval * random.nextInt(2, 5);
        Fault[] faults = new Fault[replicaCount];
        Arrays.fill(faults, Fault.NONE);
        if (random.nextInt(3) == 0) {
            Fault[] kinds = {Fault.EQUIVOCATE, Fault.LIE, Fault.TWIN};
            faults[random.nextInt(replicaCount)] = kinds[random.nextInt(kinds.length)];
        }
        boolean isRough = random.nextBoolean();
        return new Scenario(
                seed,
                replicaCount,
                20 + random.nextInt(60),
                1 + random.nextInt(4),
                1 + random.nextInt(Math.min(logWindow, 8)),
                checkpointInterval,
                logWindow,
                1 + random.nextInt(3),
                (10 + random.nextInt(15)) * 1_000 * MS,
                isRough ? random.nextInt(50) : 0,
                isRough ? random.nextInt(100) : 0,
                (1 + random.nextInt(20)) * MS,
                isRough ? random.nextInt(6) : 0,
                false,
                random.nextBoolean(),
                false,
                false,
                ProposesAfter.DELIVERY,
                3 + random.nextInt(4),
                faults);
    }

    /** Some silent primaries are slow or unfair instead; decided apart, so that all else of a seed stays as it was. */
    private static void refine(Fault[] faults, SplittableRandom ofKinds) {
        for (int i = 0; i < faults.length; i++) {
            if (faults[i] == Fault.SILENT_PRIMARY) {
                faults[i] = SILENT_OR_WORSE[ofKinds.nextInt(SILENT_OR_WORSE.length)];
            }
        }
    }

    /** Returns the same scenario in which each block waits for the certified result of the last. */
    Scenario awaitingEachResult() {
        return new Scenario(
                seed,
                replicaCount,
                batchCount,
                blockMaxBatches,
                1,
                1,
                logWindow,
                clientCount,
                chaosNs,
                lossPerMille,
                duplicatePerMille,
                delayMaxNs,
                crashPerMille,
                hasPartitions,
                isDisk,
                hasExpiry,
                isFair,
                ProposesAfter.CERTIFIED_RESULT,
                guidedViews,
                faults);
    }

    /** Returns the same scenario with fair order; primaries that were silent, slow or starving run ahead of others. */
    Scenario withFairOrder() {
        Scenario fair = with(ScenarioKnob.FAIR, 1);
        for (int i = 0; i < fair.faults.length; i++) {
            boolean isOfPrimary = List.of(SILENT_OR_WORSE).contains(fair.faults[i]);
            fair.faults[i] = isOfPrimary ? Fault.FRONT_RUNNING : fair.faults[i];
        }
        return fair;
    }

    /**
     * Returns the same scenario with one choice changed. A run of it draws other random numbers.
     *
     * @param knob what is changed
     * @param value at least the smallest of the knob
     */
    Scenario with(ScenarioKnob knob, long value) {
        knob.requireValid(value);
        int nodes = knob == ScenarioKnob.NODES ? (int) value : replicaCount;
        long faultyMax = knob == ScenarioKnob.FAULTY ? value : replicaCount;
        return new Scenario(
                seed,
                nodes,
                knob == ScenarioKnob.BATCHES ? (int) value : batchCount,
                knob == ScenarioKnob.BLOCK ? (int) value : blockMaxBatches,
                knob == ScenarioKnob.PIPELINE ? (int) value : pipelineWindow,
                checkpointInterval,
                logWindow,
                knob == ScenarioKnob.CLIENTS ? (int) value : clientCount,
                knob == ScenarioKnob.CHAOS_MS ? value * MS : chaosNs,
                knob == ScenarioKnob.LOSS ? (int) value : lossPerMille,
                knob == ScenarioKnob.DUPLICATES ? (int) value : duplicatePerMille,
                knob == ScenarioKnob.DELAY_MS ? value * MS : delayMaxNs,
                knob == ScenarioKnob.CRASHES ? (int) value : crashPerMille,
                knob == ScenarioKnob.PARTITIONS ? value > 0 : hasPartitions,
                knob == ScenarioKnob.DISK ? value > 0 : isDisk,
                knob == ScenarioKnob.EXPIRY ? value > 0 : hasExpiry,
                knob == ScenarioKnob.FAIR ? value > 0 : isFair,
                proposesAfter,
                knob == ScenarioKnob.GUIDED_VIEWS ? (int) value : guidedViews,
                firstFaulty(Math.min(faultyMax, (nodes - 1) / 3), nodes));
    }

    private Fault[] firstFaulty(long count, int nodes) {
        Fault[] kept = new Fault[nodes];
        Arrays.fill(kept, Fault.NONE);
        int faulty = 0;
        for (int i = 0; i < Math.min(nodes, replicaCount) && faulty < count; i++) {
            kept[i] = faults[i];
            faulty += kept[i] == Fault.NONE ? 0 : 1;
        }
        return kept;
    }

    /** Returns whether disks change old blocks; decided apart from all other choices, which it changes in no way. */
    boolean hasRot() {
        return new SplittableRandom(seed ^ 0x707L).nextInt(4) == 0;
    }

    /** Returns whether disks are full for a while; decided apart, as rot is. */
    boolean hasFullDisks() {
        return crashPerMille > 0 && new SplittableRandom(seed ^ 0xf011L).nextInt(5) == 0;
    }

    /** Returns whether an engine is wrong for a while; decided apart, in runs without another fault that counts. */
    boolean hasWrongEngine() {
        return crashPerMille > 0
                && Arrays.stream(faults).allMatch(fault -> fault == Fault.NONE)
                && new SplittableRandom(seed ^ 0xe19f13L).nextInt(3) == 0;
    }

    int twinCount() {
        return (int) Arrays.stream(faults).filter(fault -> fault == Fault.TWIN).count();
    }

    boolean isFaulty(int replica) {
        return faults[replica] != Fault.NONE;
    }

    @Override
    public String toString() {
        return "seed " + seed + ": n=" + replicaCount + " batches=" + batchCount + " block<=" + blockMaxBatches + " W="
                + pipelineWindow + " K=" + checkpointInterval + " L=" + logWindow + " chaos=" + chaosNs / MS
                + "ms loss=" + lossPerMille + " dup=" + duplicatePerMille + " delay<=" + delayMaxNs / MS + "ms crash="
                + crashPerMille + " partitions=" + hasPartitions + " disk=" + isDisk + " expiry=" + hasExpiry
                + " rot=" + hasRot() + " full disks=" + hasFullDisks() + " wrong engine=" + hasWrongEngine()
                + (isFair ? " fair" : "") + " proposes after="
                + proposesAfter
                + (guidedViews > 0 ? " guided views=" + guidedViews : "")
                + " faults=" + Arrays.toString(faults);
    }
}
