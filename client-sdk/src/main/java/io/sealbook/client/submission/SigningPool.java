package io.sealbook.client.submission;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Encodes and signs on as many threads as there are cores to give: signing is nearly all of a client's work, and more
 * threads only get in each other's way. Its queue holds at most the batches in flight.
 *
 * <p>A thread takes its share of all that wait, and has them signed in one call: a native signer makes many signatures
 * in the time of few. An idle pool signs a batch at once.
 */
final class SigningPool {
    /** Batches signed in one call; more would delay the first without being faster. */
    static final int TOGETHER_MAX = 16;

    private final ExecutorService threads;
    private final ThreadLocal<BatchSealer> sealers;
    private final LongSupplier validUntilBlock;
    private final int threadCount;
    private final Queue<Work> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();

    /** A batch and the receiver of its signed form. */
    private record Work(OutgoingBatch batch, Consumer<OutgoingBatch> signed, Consumer<RuntimeException> failed) {
        void finish(SealedBatch sealed) {
            batch.seal(sealed);
            signed.accept(batch);
        }
    }

    SigningPool(String name, int threadCount, Supplier<BatchSealer> sealer, LongSupplier validUntilBlock) {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(threadCount, task -> {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        this.sealers = ThreadLocal.withInitial(sealer);
        this.validUntilBlock = validUntilBlock;
        this.threadCount = threadCount;
    }

    /** Seals the batch, then passes it on, on a thread of the pool. */
    void sign(OutgoingBatch batch, Consumer<OutgoingBatch> signed, Consumer<RuntimeException> failed) {
        waiting.add(new Work(batch, signed, failed));
        waitingCount.incrementAndGet();
        threads.execute(this::signSome);
    }

    /** There is a task for every batch; those whose batch went with others find less to do, or nothing. */
    private void signSome() {
        int share = Math.min(TOGETHER_MAX, (waitingCount.get() + threadCount - 1) / threadCount);
        List<Work> taken = new ArrayList<>(Math.max(share, 0));
        for (Work work; taken.size() < share && (work = waiting.poll()) != null; ) {
            taken.add(work);
            waitingCount.decrementAndGet();
        }
        if (taken.size() == 1) {
            signOne(taken.get(0));
        } else if (!taken.isEmpty()) {
            signAll(taken);
        }
    }

    private void signAll(List<Work> taken) {
        List<List<Order>> batches = new ArrayList<>(taken.size());
        taken.forEach(work -> batches.add(work.batch().orders()));
        List<SealedBatch> sealed;
        try {
            sealed = sealers.get().sealAll(batches, validUntilBlock.getAsLong(), nowNs());
        } catch (RuntimeException e) {
            // One of them cannot be sealed; alone, each fails or not for itself.
            taken.forEach(this::signOne);
            return;
        }
        for (int i = 0; i < taken.size(); i++) {
            taken.get(i).finish(sealed.get(i));
        }
    }

    private void signOne(Work work) {
        SealedBatch sealed;
        try {
            sealed = sealers.get().seal(work.batch().orders(), validUntilBlock.getAsLong(), nowNs());
        } catch (RuntimeException e) {
            work.failed().accept(e);
            return;
        }
        work.finish(sealed);
    }

    void close() {
        threads.shutdownNow();
    }

    private static long nowNs() {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
