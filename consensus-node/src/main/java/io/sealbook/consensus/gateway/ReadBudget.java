package io.sealbook.consensus.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of the archive that may be read per second for followers far behind. What was not used is kept for one second;
 * one block may exceed it. One thread; others may read the count.
 */
public final class ReadBudget {
    private final long bytesPerSecond;
    private long left;
    private long filledNs;
    private boolean isFilled;
    private boolean isCounted;
    /** Seconds, in each of which something was to be read after all was used. */
    private final AtomicLong throttledSeconds = new AtomicLong();

    /** @param bytesPerSecond 1 or more */
    public ReadBudget(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * Returns whether something may be read.
     *
     * @param nowNs monotonic clock
     */
    boolean isLeft(long nowNs) {
        if (!isFilled || nowNs - filledNs >= TimeUnit.SECONDS.toNanos(1)) {
            left = isFilled && left < 0 ? left + bytesPerSecond : bytesPerSecond;
            filledNs = nowNs;
            isFilled = true;
            isCounted = false;
        }
        if (left <= 0 && !isCounted) {
            isCounted = true;
            throttledSeconds.incrementAndGet();
        }
        return left > 0;
    }

    /** Notes what was read. */
    void spend(long bytes) {
        left -= bytes;
    }

    /** Returns in how many seconds something was to be read that had to wait. Any thread. */
    long throttledSeconds() {
        return throttledSeconds.get();
    }
}
