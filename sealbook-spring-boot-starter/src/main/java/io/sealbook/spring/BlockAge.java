package io.sealbook.spring;

import java.time.Duration;
import java.util.function.LongSupplier;

/** How long ago the chain's height has changed, as far as the client knows it. Any thread. */
final class BlockAge {
    private final LongSupplier height;
    private final LongSupplier nanoTime;
    private long lastHeight;
    private long changedNs;

    /**
     * Begins now.
     *
     * @param height of the chain, -1 if it is unknown
     * @param nanoTime a clock that never goes back, in ns
     */
    BlockAge(LongSupplier height, LongSupplier nanoTime) {
        this.height = height;
        this.nanoTime = nanoTime;
        lastHeight = height.getAsLong();
        changedNs = nanoTime.getAsLong();
    }

    /** Looks at the height. Whoever wants an age that is exact to a second calls it each second. */
    synchronized void observe() {
        long present = height.getAsLong();
        if (present != lastHeight) {
            lastHeight = present;
            changedNs = nanoTime.getAsLong();
        }
    }

    /** Returns the time since the last observed change, or since the beginning. */
    synchronized Duration get() {
        observe();
        return Duration.ofNanos(nanoTime.getAsLong() - changedNs);
    }
}
