package io.sealbook.simulator;

import java.util.function.LongSupplier;

/** The repeated work of one thread of a process, as events of virtual time. */
final class Loop {
    /** Runs work after a delay in nanoseconds, unless the process has ended by then. */
    @FunctionalInterface
    interface Later {
        void run(long delayNs, Runnable work);
    }

    private final LongSupplier body;
    private final LongSupplier nowNs;
    private final Later later;
    private long wakeAtNs = Long.MAX_VALUE;

    /**
     * @param body returns after how many nanoseconds it runs again if nothing wakes it; the greatest number for never
     * @param nowNs virtual time
     * @param later schedules the next run
     */
    Loop(LongSupplier body, LongSupplier nowNs, Later later) {
        this.body = body;
        this.nowNs = nowNs;
        this.later = later;
    }

    /** Runs the body after a delay in nanoseconds, unless it runs earlier anyway. */
    void wake(long delayNs) {
        long atNs = nowNs.getAsLong() + delayNs;
        if (atNs < wakeAtNs) {
            wakeAtNs = atNs;
            later.run(delayNs, () -> run(atNs));
        }
    }

    private void run(long atNs) {
        if (wakeAtNs == atNs) {
            wakeAtNs = Long.MAX_VALUE;
            long idleNs = body.getAsLong();
            if (idleNs != Long.MAX_VALUE) {
                wake(idleNs);
            }
        }
    }
}
