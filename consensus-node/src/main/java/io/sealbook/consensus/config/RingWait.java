package io.sealbook.consensus.config;

import com.lmax.disruptor.BlockingWaitStrategy;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.WaitStrategy;
import com.lmax.disruptor.YieldingWaitStrategy;

/** How the threads of the ingress ring wait for work. */
public enum RingWait {
    /** Sleeps on a lock; right whenever there are fewer cores than threads. */
    BLOCKING,
    /** Spins, then yields. */
    YIELDING,
    /** Spins for ever; needs a core for each thread. */
    BUSY_SPIN;

    /** Returns a new strategy; each ring needs its own. */
    public WaitStrategy create() {
        return switch (this) {
            case BLOCKING -> new BlockingWaitStrategy();
            case YIELDING -> new YieldingWaitStrategy();
            case BUSY_SPIN -> new BusySpinWaitStrategy();
        };
    }
}
