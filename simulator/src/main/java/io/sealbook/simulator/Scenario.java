package io.sealbook.simulator;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import java.util.Arrays;
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
 * @param proposesAfter whether a primary awaits the certified result of a block
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
        ProposesAfter proposesAfter,
        Fault[] faults) {
    private static final long MS = 1_000_000L;

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
                Fault[] kinds = Fault.values();
                faults[random.nextInt(replicaCount)] = kinds[1 + random.nextInt(kinds.length - 1)];
            }
        }
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
                ProposesAfter.DELIVERY,
                faults);
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
                ProposesAfter.CERTIFIED_RESULT,
                faults);
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
                + " proposes after=" + proposesAfter + " faults=" + Arrays.toString(faults);
    }
}
