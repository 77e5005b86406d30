package io.sealbook.client.submission;

import io.sealbook.client.codec.BatchSigner;
import io.sealbook.client.codec.SessionEncoder;
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
    private final Object line = new Object();
    private SessionEncoder encoder;
    private final ThreadLocal<BatchSigner> signers;
    private final LongSupplier validUntilBlock;
    private final int threadCount;
    private final Queue<Work> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();

    /** A batch and the receiver of its signed form. */
    private record Work(OutgoingBatch batch, Consumer<OutgoingBatch> signed, Consumer<Throwable> failed) {}

    /**
     * @param name prefix of the threads' names
     * @param threadCount 1 or more
     * @param signer called once by each thread
     * @param validUntilBlock last block that may hold a batch that is encoded now
     */
    SigningPool(String name, int threadCount, Supplier<BatchSigner> signer, LongSupplier validUntilBlock) {
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(threadCount, task -> {
            Thread thread = new Thread(task, name + "-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
        this.signers = ThreadLocal.withInitial(signer);
        this.validUntilBlock = validUntilBlock;
        this.threadCount = threadCount;
    }

    /** Sets the encoder of the client's session; before the first batch. It is used under a lock. */
    void open(SessionEncoder value) {
        synchronized (line) {
            encoder = value;
        }
    }

    /**
     * Seals the batch, then passes it on, on a thread of the pool.
     *
     * @param batch to be sealed
     * @param signed receives it
     * @param failed receives what the encoder or the signer threw, errors included: a native signer may lack a library
     */
    void sign(OutgoingBatch batch, Consumer<OutgoingBatch> signed, Consumer<Throwable> failed) {
        waiting.add(new Work(batch, signed, failed));
        waitingCount.incrementAndGet();
        threads.execute(this::signSome);
    }

    /** There is a task for every batch; those whose batch went with others find less to do, or nothing. */
    private void signSome() {
        List<Work> taken = encodeShare();
        if (taken.isEmpty()) {
            return;
        }
        try {
            if (taken.size() == 1) {
                signers.get().sign(taken.get(0).batch().sealed());
            } else {
                signers.get()
                        .signAll(taken.stream()
                                .map(work -> work.batch().sealed())
                                .toList());
            }
        } catch (RuntimeException | Error e) {
            taken.forEach(work -> work.failed().accept(e));
            return;
        }
        taken.forEach(work -> work.signed().accept(work.batch()));
    }

    /**
     * Takes a share of what waits and encodes it, in line: numbers follow the order of the line, and each batch names
     * the one before. A batch that cannot be encoded takes no number.
     */
    private List<Work> encodeShare() {
        synchronized (line) {
            int share = Math.min(TOGETHER_MAX, (waitingCount.get() + threadCount - 1) / threadCount);
            List<Work> taken = new ArrayList<>(Math.max(share, 0));
            long validUntil = validUntilBlock.getAsLong();
            for (Work work; taken.size() < share && (work = waiting.poll()) != null; ) {
                waitingCount.decrementAndGet();
                try {
                    work.batch().seal(encoder.encode(work.batch().orders(), validUntil, nowNs()));
                    taken.add(work);
                } catch (RuntimeException | Error e) {
                    work.failed().accept(e);
                }
            }
            return taken;
        }
    }

    void close() {
        threads.shutdownNow();
    }

    private static long nowNs() {
        java.time.Instant now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
