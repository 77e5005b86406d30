package io.sealbook.access.rate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tokens that come back at a constant rate, at most {@value #BURST_S} seconds' worth of them. Held as the time at which
 * the bucket is full again: the generic cell rate algorithm (ITU-T I.371, annex A). Given time only. Any thread; no
 * method waits or allocates.
 */
final class TokenBucket {
    static final int BURST_S = 2;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long BURST_NS = BURST_S * NS_PER_S;

    private final long perSecond;
    private final AtomicLong fullAtNs;

    /**
     * @param perSecond tokens that come back, 1..{@link Rates#BYTES_MAX} with the factor of an address
     * @param nowNs at which it is full
     */
    TokenBucket(long perSecond, long nowNs) {
        this.perSecond = perSecond;
        this.fullAtNs = new AtomicLong(nowNs);
    }

    /**
     * Takes tokens if there are enough. More than the bucket holds count as all that it holds.
     *
     * @param count tokens, at least 0
     * @param nowNs the time
     * @return 0 if they are taken; else nanoseconds after which they are there, if no other call takes any
     */
    long take(long count, long nowNs) {
        long costNs = Math.min(count, BURST_S * perSecond) * NS_PER_S / perSecond;
        while (true) {
            long before = fullAtNs.get();
            long debtNs = Math.max(0, before - nowNs);
            long waitNs = debtNs + costNs - BURST_NS;
            if (waitNs > 0) {
                return waitNs;
            }
            if (fullAtNs.compareAndSet(before, nowNs + debtNs + costNs)) {
                return 0;
            }
        }
    }

    /** Returns whether a new bucket would be the same. */
    boolean isFull(long nowNs) {
        return fullAtNs.get() - nowNs <= 0;
    }

    long perSecond() {
        return perSecond;
    }
}
