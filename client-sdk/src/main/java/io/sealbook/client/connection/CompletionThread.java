package io.sealbook.client.connection;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread on which futures are completed, and so runs what the program does with their results: it may wait there, and
 * close the client, which the loop may not. It begins with the first task. Any thread.
 */
public final class CompletionThread implements Executor {
    private final ThreadPoolExecutor executor;
    private volatile Thread thread;

    /** @param name of the thread */
    public CompletionThread(String name) {
        this.executor = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread made = new Thread(task, name);
                    made.setDaemon(true);
                    thread = made;
                    return made;
                },
                (late, closed) -> late.run());
    }

    /** Runs the task after those before it; after {@link #close} on the caller's thread, so that no future is left. */
    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /**
     * Ends the thread after the tasks that it has, and waits for that unless one of them calls.
     *
     * @param timeoutNs longest wait
     */
    public void close(long timeoutNs) throws InterruptedException {
        executor.shutdown();
        if (!isCurrent()) {
            executor.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
        }
    }
}
