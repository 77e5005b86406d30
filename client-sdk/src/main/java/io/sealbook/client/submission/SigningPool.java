package io.sealbook.client.submission;

import io.sealbook.client.codec.BatchSealer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Encodes and signs on as many threads as there are cores to give: signing is nearly all of a client's work, and more threads only
 * get in each other's way. Its queue holds at most the batches in flight.
 */
final class SigningPool {
    private final ExecutorService threads;
    private final ThreadLocal<BatchSealer> sealers;
    private final LongSupplier validUntilBlock;

    SigningPool(String name, int threadCount, Supplier<BatchSealer> sealer, LongSupplier validUntilBlock) {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(threadCount, task -> {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        this.sealers = ThreadLocal.withInitial(sealer);
        this.validUntilBlock = validUntilBlock;
    }

    /** Seals the batch, then passes it on, on a thread of the pool. */
    void sign(OutgoingBatch batch, Consumer<OutgoingBatch> signed, Consumer<RuntimeException> failed) {
        threads.execute(() -> {
            try {
                batch.seal(sealers.get().seal(batch.orders(), validUntilBlock.getAsLong(), nowNs()));
            } catch (RuntimeException e) {
                failed.accept(e);
                return;
            }
            signed.accept(batch);
        });
    }

    void close() {
        threads.shutdownNow();
    }

    private static long nowNs() {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
