package io.sealbook.node.agent;

import io.sealbook.pbft.Timer;
import java.util.Arrays;
import java.util.function.Consumer;

/** The replica's timers: one deadline for each, on the monotonic clock. One thread. */
public final class Timers {
    private static final long STOPPED = Long.MAX_VALUE;
    private static final Timer[] TIMERS = Timer.values();

    private final long[] deadlines = new long[TIMERS.length];

    public Timers() {
        Arrays.fill(deadlines, STOPPED);
    }

    public void start(Timer timer, long nowNanos, long delayNs) {
        deadlines[timer.ordinal()] = nowNanos + delayNs;
    }

    public void stop(Timer timer) {
        deadlines[timer.ordinal()] = STOPPED;
    }

    /** Tells each timer that is due and stops it; returns how many. */
    public int fire(long nowNanos, Consumer<Timer> consumer) {
        int fired = 0;
        for (Timer timer : TIMERS) {
            long deadline = deadlines[timer.ordinal()];
            if (deadline != STOPPED && deadline - nowNanos <= 0) {
                stop(timer);
                consumer.accept(timer);
                fired++;
            }
        }
        return fired;
    }

    /** Returns the time until the next one is due, 0 or more; {@link Long#MAX_VALUE} when none runs. */
    public long untilNext(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (long deadline : deadlines) {
            if (deadline != STOPPED) {
                next = Math.min(next, Math.max(0, deadline - nowNanos));
            }
        }
        return next;
    }
}
