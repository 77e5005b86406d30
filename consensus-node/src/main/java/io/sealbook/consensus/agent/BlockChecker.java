package io.sealbook.consensus.agent;

import io.sealbook.node.port.Background;
import io.sealbook.node.port.CommitTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Checks received blocks beside the committer, on as many threads as the ring has lanes to verify; they exist only
 * while blocks are transferred. How many answers wait is bounded by the transfer, which requests no more.
 */
public final class BlockChecker implements Background, AutoCloseable {
    private static final int IDLE_SECONDS = 10;
    private static final long RETRY_NS = 1_000_000;

    private final CommitQueue commits;
    private final Consumer<Throwable> failed;
    private final ThreadPoolExecutor threads;

    /**
     * @param nodeId this member, for the threads' names
     * @param threadCount how many check at a time, 1 or more
     * @param commits takes the verdicts
     * @param failed receives a failure that no verdict expresses
     */
    public BlockChecker(int nodeId, int threadCount, CommitQueue commits, Consumer<Throwable> failed) {
        this.commits = commits;
        this.failed = failed;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                threadCount, threadCount, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "block-check-" + nodeId + "-" + number.getAndIncrement());
                    thread.setDaemon(true);
                    return thread;
                });
        this.threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void run(Supplier<CommitTask> work) {
        try {
            threads.execute(() -> runNow(work));
        } catch (RejectedExecutionException e) {
            if (!threads.isShutdown()) {
                throw e;
            }
        }
    }

    private void runNow(Supplier<CommitTask> work) {
        try {
            CommitTask verdict = work.get();
            while (!commits.offer(verdict) && !threads.isShutdown()) {
                LockSupport.parkNanos(RETRY_NS);
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
