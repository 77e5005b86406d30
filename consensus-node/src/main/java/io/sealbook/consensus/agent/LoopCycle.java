package io.sealbook.consensus.agent;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A duty cycle on an event loop, between the loop's reads and writes. It runs when it is woken, again as long as it
 * finds work, and after its idle time.
 */
final class LoopCycle {
    /** Every cycle is woken by its work; a sleep ends by itself only for its timers. */
    private static final long SLEEP_MAX_NS = 1_000_000_000;

    private final EventLoop loop;
    private final DutyCycle cycle;
    private final Consumer<Throwable> failed;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isEnded;
    /** Runs the cycle when its idle time is over; null if none is set. Event loop. */
    private ScheduledFuture<?> timer;
    /** When it is due, on the loop's clock. */
    private long timerNs;

    /**
     * @param loop runs the cycle
     * @param cycle that no other thread runs
     * @param failed receives what ended the cycle
     */
    LoopCycle(EventLoop loop, DutyCycle cycle, Consumer<Throwable> failed) {
        this.loop = loop;
        this.cycle = cycle;
        this.failed = failed;
    }

    void start() {
        cycle.runOnLoop(this::schedule);
        schedule();
    }

    /** The cycle does not run again. */
    void end() {
        isEnded = true;
    }

    private void schedule() {
        if (isScheduled.compareAndSet(false, true)) {
            try {
                loop.execute(this::run);
            } catch (RejectedExecutionException e) {
                isEnded = true; // The loop has ended.
            }
        }
    }

    private void run() {
        isScheduled.set(false);
        if (isEnded) {
            return;
        }
        try {
            if (cycle.doWork() > 0 || cycle.hasWork()) {
                schedule();
            } else {
                sleep(Math.min(cycle.idleNs(), SLEEP_MAX_NS));
            }
        } catch (Throwable failure) {
            isEnded = true;
            failed.accept(failure);
        }
    }

    /**
     * Sets the only timer. One that is set stays if it is about right: it may wake the loop early, but not long before
     * there is a reason.
     */
    private void sleep(long nanos) {
        long now = loop.ticker().nanoTime();
        if (timer != null) {
            long left = timerNs - now;
            if (left > nanos / 2 && left <= nanos + nanos / 16) {
                return;
            }
            timer.cancel(false);
        }
        timerNs = now + nanos;
        timer = loop.schedule(this::onTimer, nanos, TimeUnit.NANOSECONDS);
    }

    private void onTimer() {
        timer = null;
        if (isScheduled.compareAndSet(false, true)) {
            run();
        }
    }
}
