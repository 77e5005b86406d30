package io.sealbook.pbft;

import java.util.Arrays;

/**
 * How long a proposal takes from its acceptance to its delivery, and the REQUEST timeout that follows from it. That
 * latency is the work of a quorum, not of the primary, who decides only when a proposal comes: a primary cannot make
 * the others patient by being slow. What it can do is to show a proposal to a part of them early. So the lower quartile
 * of the last deliveries counts, with a wide margin.
 *
 * <p>Counted in heartbeat periods, so that neither a pause of this process nor a jump of its clock is a latency. The
 * configured timeout is the first one; the learned one is at least half of it, and at most the cap of the timeouts.
 */
final class CommitPace {
    static final int SAMPLES = 32;
    private static final int QUARTILE = SAMPLES / 4;
    private static final int SAMPLES_PER_JUDGEMENT = 8;
    private static final int MARGIN = 8;
    private static final int FLOOR_DIVISOR = 2;

    private final ReplicaConfig config;
    /** The last ones, in periods; a ring. */
    private final int[] latencies = new int[SAMPLES];

    private long sampleCount;
    private long period;
    private long timeoutNs;

    CommitPace(ReplicaConfig config) {
        this.config = config;
        timeoutNs = config.requestTimeoutNs();
    }

    /** A heartbeat period is over. */
    void onPeriod() {
        period++;
    }

    /** Returns the present heartbeat period; 0 if the shell passes none. */
    long period() {
        return period;
    }

    /** A proposal was delivered that was accepted in this period. */
    void onDelivered(long acceptedPeriod) {
        if (acceptedPeriod == 0) {
            return;
        }
        latencies[(int) (sampleCount++ % SAMPLES)] = (int) Math.min(1 + period - acceptedPeriod, Integer.MAX_VALUE);
        if (sampleCount >= SAMPLES && sampleCount % SAMPLES_PER_JUDGEMENT == 0) {
            int[] sorted = latencies.clone();
            Arrays.sort(sorted);
            long learnedNs = MARGIN * sorted[QUARTILE] * config.heartbeatNs();
            timeoutNs =
                    Math.clamp(learnedNs, config.requestTimeoutNs() / FLOOR_DIVISOR, config.viewChangeTimeoutMaxNs());
        }
    }

    /** Returns the longest time without a delivery while a batch waits. */
    long requestTimeoutNs() {
        return timeoutNs;
    }
}
