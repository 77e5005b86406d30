package io.sealbook.consensus.agent;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A duty cycle on an event loop, between the loop's reads and writes. It runs when it is woken, again as long as it
 * finds work, and after its idle time.
 */
final class LoopCycle {
    private static final long SLEEP_MAX_NS = 100_000_000;

    private final EventLoop loop;
    private final DutyCycle cycle;
    private final Consumer<Throwable> failed;
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private volatile boolean isEnded;
    /** The earliest timer that is set, 0 if none is. Event loop. */
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

    private void sleep(long nanos) {
        long now = System.nanoTime();
        if (timerNs != 0 && timerNs - now > 0 && timerNs - now <= nanos) {
            return;
        }
        long due = now + nanos;
        timerNs = due;
        loop.schedule(() -> onTimer(due), nanos, TimeUnit.NANOSECONDS);
    }

    private void onTimer(long due) {
        if (timerNs == due) {
            timerNs = 0;
        }
        schedule();
    }
}
