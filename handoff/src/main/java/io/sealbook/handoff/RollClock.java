package io.sealbook.handoff;

import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * The time by which the files of a written queue roll: that of a clock, and never earlier than a time returned before
 * or than the begin of the newest file.
 *
 * <p>Chronicle rolls to the file of the day that the clock names, also to an earlier one. If the clock has gone back
 * over midnight, that file is closed, and the append fails; if it has gone back further, the excerpt is out of order,
 * and no reader at the end comes past it. Any thread.
 */
final class RollClock implements TimeProvider {
    private final TimeProvider clock;
    private final AtomicLong latestMs = new AtomicLong();

    RollClock(TimeProvider clock) {
        this.clock = clock;
    }

    /** Sets the earliest time that is returned from now on, milliseconds since 1970. */
    void startAt(long earliestMs) {
        latestMs.accumulateAndGet(earliestMs, Math::max);
    }

    @Override
    public long currentTimeMillis() {
        return latestMs.accumulateAndGet(clock.currentTimeMillis(), Math::max);
    }
}
