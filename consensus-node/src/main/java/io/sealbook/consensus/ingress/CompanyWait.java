package io.sealbook.consensus.ingress;

import io.sealbook.crypto.BatchPreference;

/**
 * Decides how long collected signatures wait for company. One thread.
 *
 * <p>They wait only while the arrivals of the last milliseconds promise, within the bound, a batch that the verifier
 * works better with: one at its full rate, else one that reaches its device. A batch that comes alone never waits, and
 * a load that is too small for either never does.
 */
final class CompanyWait {
    /** The rate of arrivals is averaged over this time: longer than a burst of one client, shorter than a load. */
    private static final double RATE_WINDOW_NS = 5e6;
    /** A shorter sleep costs more than it gains: the system wakes a thread after 50 µs at the earliest. */
    private static final long SLEEP_NS_MIN = 50_000;

    private static final long NONE = Long.MIN_VALUE;

    private final BatchPreference preference;
    private final long boundNs;
    private final int laneCount;
    private double arrivalsPerNs;
    private long observedNs = NONE;
    private long observedCount;
    private long deadlineNs = NONE;

    /**
     * @param preference of the verifier, already limited to what the ring holds
     * @param boundNs longest wait of a signature, 0 for none
     * @param laneCount lanes among which arrivals are divided
     */
    CompanyWait(BatchPreference preference, long boundNs, int laneCount) {
        this.preference = preference;
        this.boundNs = boundNs;
        this.laneCount = laneCount;
    }

    /**
     * Returns how long to sleep before looking again, in nanoseconds; 0 to hand over now, which ends the wait.
     *
     * @param collectedCount signatures that wait, at least 1
     * @param arrivedCount batches that have come into the ring since its start
     * @param nowNs monotonic clock
     */
    long sleepNs(int collectedCount, long arrivedCount, long nowNs) {
        if (boundNs == 0) {
            return 0;
        }
        observe(arrivedCount, nowNs);
        if (deadlineNs == NONE) {
            deadlineNs = nowNs + boundNs;
        }
        long leftNs = deadlineNs - nowNs;
        int missingCount = goal(collectedCount, leftNs) - collectedCount;
        if (leftNs <= 0 || missingCount <= 0) {
            deadlineNs = NONE;
            return 0;
        }
        long expectedNs = (long) (missingCount / laneArrivalsPerNs());
        return Math.min(leftNs, Math.max(SLEEP_NS_MIN, expectedNs));
    }

    /** Returns the batch that the time left promises, at least the one collected. */
    private int goal(int collectedCount, long leftNs) {
        double promised = collectedCount + laneArrivalsPerNs() * leftNs;
        if (promised >= preference.from()) {
            return preference.from();
        }
        return promised >= preference.least() ? preference.least() : collectedCount;
    }

    private double laneArrivalsPerNs() {
        return arrivalsPerNs / laneCount;
    }

    private void observe(long arrivedCount, long nowNs) {
        if (observedNs != NONE && nowNs > observedNs) {
            double elapsedNs = nowNs - observedNs;
            double latest = (arrivedCount - observedCount) / elapsedNs;
            arrivalsPerNs += (latest - arrivalsPerNs) * elapsedNs / (elapsedNs + RATE_WINDOW_NS);
        }
        observedNs = nowNs;
        observedCount = arrivedCount;
    }
}
