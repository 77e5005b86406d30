package io.sealbook.node.agent;

import io.sealbook.pbft.Timer;
import java.util.Arrays;
import java.util.function.Consumer;

/** The replica's timers: one deadline for each, on the monotonic clock. One thread. */
final class TimerDeadlines {
    private static final long STOPPED = Long.MAX_VALUE;
    private static final Timer[] TIMERS = Timer.values();

    private final long[] deadlines = new long[TIMERS.length];

    TimerDeadlines() {
        Arrays.fill(deadlines, STOPPED);
    }

    void start(Timer timer, long nowNs, long delayNs) {
        deadlines[timer.ordinal()] = nowNs + delayNs;
    }

    void stop(Timer timer) {
        deadlines[timer.ordinal()] = STOPPED;
    }

    /** Stops each timer that is due and reports it; returns their number. */
    int fire(long nowNs, Consumer<Timer> consumer) {
        int fired = 0;
        for (Timer timer : TIMERS) {
            long deadline = deadlines[timer.ordinal()];
            if (deadline != STOPPED && deadline - nowNs <= 0) {
                stop(timer);
                consumer.accept(timer);
                fired++;
            }
        }
        return fired;
    }

    /** Returns the time until the next one is due, 0 or more; {@link Long#MAX_VALUE} when none runs. */
    long untilNext(long nowNs) {
        long next = Long.MAX_VALUE;
        for (long deadline : deadlines) {
            if (deadline != STOPPED) {
                next = Math.min(next, Math.max(0, deadline - nowNs));
            }
        }
        return next;
    }
}
