package io.sealbook.client.connection;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Delays between attempts: doubled each time up to a bound, with jitter so that a thousand clients do not return as
 * one.
 */
final class Backoff {
    private final long minNs;
    private final long maxNs;
    private long nextNs;

    Backoff(long minNs, long maxNs) {
        if (minNs <= 0 || maxNs < minNs) {
            throw new IllegalArgumentException("backoff " + minNs + ".." + maxNs + " ns");
        }
        this.minNs = minNs;
        this.maxNs = maxNs;
        this.nextNs = minNs;
    }

    /** Returns the next delay: between half of and the whole current step. */
    long nextNs() {
        long stepNs = nextNs;
        nextNs = Math.min(maxNs, stepNs * 2);
        return stepNs / 2 + ThreadLocalRandom.current().nextLong(stepNs / 2 + 1);
    }

    /** Starts again from the shortest delay, after a success. */
    void reset() {
        nextNs = minNs;
    }
}
