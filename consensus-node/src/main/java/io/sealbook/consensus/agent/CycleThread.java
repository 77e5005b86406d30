package io.sealbook.consensus.agent;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that repeats a duty cycle and sleeps when it finds no work. */
public final class CycleThread implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(CycleThread.class);
    /** Every cycle is woken by its work; a sleep ends by itself only for its timers. */
    private static final long SLEEP_MAX_NS = 1_000_000_000;

    /** After this {@link #close} reports that it still waits. */
    private static final long CLOSE_REPORT_MS = 5_000;

    private final DutyCycle cycle;
    private final Thread thread;
    private final Consumer<Throwable> failed;
    /** Counted down after the last work of the cycle, and before its failure is reported. */
    private final CountDownLatch ended = new CountDownLatch(1);

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
            ended.countDown();
        } catch (Throwable failure) {
            ended.countDown();
            failed.accept(failure);
        }
    }

    /**
     * Ends the cycle and waits until the work that it is doing has ended, however long that takes: what the work uses
     * may be closed then. Does not wait on the cycle's own thread, and not for what a failed cycle reports: that may
     * close other threads, and two that failed would wait for each other.
     */
    @Override
    public void close() {
        isRunning = false;
        // Ends the next sleep, too: the thread may be on its way to it.
        LockSupport.unpark(thread);
        // One that starts now finds that it must not run.
        if (Thread.currentThread() != thread && thread.getState() != Thread.State.NEW) {
            awaitEnd();
        }
    }

    private void awaitEnd() {
        boolean isInterrupted = false;
        boolean isReported = false;
        while (ended.getCount() > 0) {
            try {
                if (!ended.await(CLOSE_REPORT_MS, TimeUnit.MILLISECONDS) && !isReported) {
                    log.warn(
                            "thread {} has not ended after {} ms; its files are closed when it has",
                            thread.getName(),
                            CLOSE_REPORT_MS);
                    isReported = true;
                }
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
