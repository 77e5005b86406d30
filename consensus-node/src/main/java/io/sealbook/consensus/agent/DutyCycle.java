package io.sealbook.consensus.agent;

import java.util.concurrent.locks.LockSupport;

/**
 * Work that one thread repeats. A thread that hands it work calls {@link #wakeUp}, which costs one read while the
 * cycle's thread is busy.
 */
public abstract class DutyCycle {
    private volatile DutyCycle host = this;
    private volatile Thread parked;
    /** Null while a thread of its own repeats the cycle. */
    private volatile Runnable scheduling;

    /** Does the work that waits; returns how much it was. */
    public abstract int doWork();

    /** Returns whether an inbox holds something. */
    public abstract boolean hasWork();

    /** Returns how long the cycle may sleep when it has no work, in nanoseconds. */
    public abstract long idleNs();

    /** Wakes the thread if it sleeps. Any thread. */
    public final void wakeUp() {
        DutyCycle outermost = this;
        while (outermost.host != outermost) {
            outermost = outermost.host;
        }
        Runnable schedule = outermost.scheduling;
        if (schedule != null) {
            schedule.run();
            return;
        }
        Thread sleeper = outermost.parked;
        if (sleeper != null) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Makes this cycle a part of another one, whose thread {@link #wakeUp} wakes. */
    final void runInside(DutyCycle host) {
        this.host = host;
    }

    /** Has {@link #wakeUp} schedule the cycle on an event loop, in place of waking a thread. */
    final void runOnLoop(Runnable schedule) {
        this.scheduling = schedule;
    }

    /**
     * Sleeps until woken or {@code nanos} have passed; returns at once when there is work. Only the cycle's own thread.
     *
     * <p>It lets other threads run first: where all cores are busy, work comes meanwhile, and neither side has to ask
     * the kernel to sleep or to wake. On an idle core this costs one system call.
     */
    final void park(long nanos) {
        // Announced before looking: a wake-up that comes while others run lets the sleep end at once.
        parked = Thread.currentThread();
        Thread.yield();
        if (!hasWork()) {
            LockSupport.parkNanos(this, nanos);
        }
        parked = null;
    }
}
