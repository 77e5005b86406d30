package io.sealbook.consensus.transfer;

import io.sealbook.node.transfer.BlockChecks;
import io.sealbook.node.transfer.BlockSignatures;
import io.sealbook.node.transfer.CheckedBlocks;
import io.sealbook.node.transfer.ReceivedBlocks;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Checks received blocks beside the committer, on as many threads as the ring has lanes to verify; they exist only while blocks are
 * transferred. How many answers wait is bounded by the transfer, which asks for no more.
 */
public final class BlockChecker implements BlockChecks, AutoCloseable {
    private static final int IDLE_SECONDS = 10;
    private static final long RETRY_NS = 1_000_000;

    private final BlockSignatures signatures;
    private final Consumer<Throwable> failed;
    private final ThreadPoolExecutor threads;
    private Predicate<CheckedBlocks> verdicts;

    public BlockChecker(int nodeId, int threadCount, BlockSignatures signatures, Consumer<Throwable> failed) {
        this.signatures = signatures;
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

    /** Says who takes the verdicts; false means that he has no room now. Before the first check. */
    public void connect(Predicate<CheckedBlocks> verdicts) {
        this.verdicts = verdicts;
    }

    @Override
    public void check(ReceivedBlocks received) {
        try {
            threads.execute(() -> checkNow(received));
        } catch (RejectedExecutionException e) {
            if (!threads.isShutdown()) {
                throw e;
            }
        }
    }

    private void checkNow(ReceivedBlocks received) {
        try {
            CheckedBlocks verdict = new CheckedBlocks(received, signatures.firstFault(received.blocks()));
            while (!verdicts.test(verdict) && !threads.isShutdown()) {
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
