package io.sealbook.consensus.agent;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A thread that repeats a duty cycle and sleeps when it finds no work. */
public final class CycleThread implements AutoCloseable {
    /** Every cycle is woken by its work; a sleep ends by itself only for its timers. */
    private static final long SLEEP_MAX_NS = 1_000_000_000;

    private static final long CLOSE_WAIT_MS = 5_000;

    private final DutyCycle cycle;
    private final Thread thread;
    private final Consumer<Throwable> failed;
    private volatile boolean isRunning = true;

    /**
     * @param name of the thread
     * @param cycle which the thread repeats
     * @param failed receives what ended the cycle; the thread ends too
     */
    public CycleThread(String name, DutyCycle cycle, Consumer<Throwable> failed) {
        this.cycle = cycle;
        this.failed = failed;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (isRunning) {
                if (cycle.doWork() == 0 && isRunning) {
                    cycle.park(Math.min(cycle.idleNs(), SLEEP_MAX_NS));
                }
            }
        } catch (Throwable failure) {
            failed.accept(failure);
        }
    }

    /** Ends the cycle after the work it is doing. */
    @Override
    public void close() {
        isRunning = false;
        // Ends the next sleep, too: the thread may be on its way to it.
        LockSupport.unpark(thread);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
