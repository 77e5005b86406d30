package io.sealbook.crypto;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures a verifier on this machine: SM2 signatures of 48 bytes under one key, on one calling thread.
 *
 * <p>Batches grow to the smallest size at the full rate while they take little, so that a fast verifier takes about 30
 * ms of one core and a slow one a few small batches. The fastest of several counts: a thread that the system interrupts
 * does not spoil the figure, even if the interruption is longer than the measurement. The Java compiler has hardly seen
 * Java code by then, and a table of a key may not be ready: the rate is a lower bound, and ranks verifiers that differ
 * by factors.
 */
final class SpeedMeasurement {
    private static final int BATCH_MIN = 16;
    private static final int BATCH_MAX = 4_096;
    private static final int GROWTH = 4;
    private static final int MEASURED_BATCHES_MIN = 4;
    private static final long WARM_UP_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MEASUREMENT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final double NS_PER_SECOND = 1e9;

    private SpeedMeasurement() {}

    /**
     * Returns verified signatures per second, at least 1.
     *
     * @param verifier stays the caller's
     * @param nanoTime a monotonic clock, ns
     * @throws DeviceException if the device failed or refused a right signature
     */
    static int verificationsPerSecond(SignatureVerifier verifier, LongSupplier nanoTime) {
        BatchPreference preferred = verifier.preferredBatch();
        int size = Math.min(BATCH_MAX, Math.max(BATCH_MIN, preferred.least()));
        int full = Math.min(BATCH_MAX, Math.max(size, preferred.from()));
        long beganNs = nanoTime.getAsLong();
        fastestNs(verifier, SelfTestBatch.right(SignatureScheme.SM2_SM3, size), 0, 1, nanoTime);
        while (size < full && nanoTime.getAsLong() - beganNs < WARM_UP_NS) {
            size = Math.min(full, GROWTH * size);
            fastestNs(verifier, SelfTestBatch.right(SignatureScheme.SM2_SM3, size), 0, 1, nanoTime);
        }
        SignatureBatch batch = SelfTestBatch.right(SignatureScheme.SM2_SM3, size);
        fastestNs(verifier, batch, WARM_UP_NS - (nanoTime.getAsLong() - beganNs), 1, nanoTime);
        long fastestNs = fastestNs(verifier, batch, MEASUREMENT_NS, MEASURED_BATCHES_MIN, nanoTime);
        double rate = size * NS_PER_SECOND / fastestNs;
        verifier.deviceFault().ifPresent(fault -> {
            throw new DeviceException(fault);
        });
        return (int) Math.max(1, Math.min(rate, Integer.MAX_VALUE));
    }

    /** Verifies for this time and at least this number of batches; returns the shortest time of a batch. */
    private static long fastestNs(
            SignatureVerifier verifier,
            SignatureBatch batch,
            long durationNs,
            int batchCountMin,
            LongSupplier nanoTime) {
        long fastestNs = Long.MAX_VALUE;
        long beganNs = nanoTime.getAsLong();
        long endedNs = beganNs;
        int batchCount = 0;
        do {
            long startedNs = endedNs;
            int validCount = verifier.verify(batch);
            endedNs = nanoTime.getAsLong();
            if (validCount != batch.size()) {
                throw new DeviceException(
                        (batch.size() - validCount) + " of " + batch.size() + " right signatures were refused");
            }
            fastestNs = Math.min(fastestNs, Math.max(1, endedNs - startedNs));
            batchCount++;
        } while (batchCount < batchCountMin || endedNs - beganNs < durationNs);
        return fastestNs;
    }
}
