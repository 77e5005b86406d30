package io.sealbook.client.submission;

import io.sealbook.client.OutboxException;
import io.sealbook.client.outbox.BrokerOutbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Keeps signed batches in the outbox before they are sent: in the order of their numbers, and all that wait in one
 * write. Has a thread of its own, because a disk may be slow. After {@link #close} it ignores what it is given: the
 * next run learns from nodes what is in blocks.
 */
final class OutboxWriter {
    private static final System.Logger log = System.getLogger(OutboxWriter.class.getName());

    private final BrokerOutbox outbox;
    private final Consumer<OutgoingBatch> kept;
    private final BiConsumer<OutgoingBatch, RuntimeException> failed;
    private final ExecutorService thread;
    private final Queue<OutgoingBatch> signed = new ConcurrentLinkedQueue<>();
    /** Batches that were signed before the ones before them, by number; the writer's thread only. */
    private final TreeMap<Long, OutgoingBatch> early = new TreeMap<>();

    private long nextNumber;
    /** Not null once a batch could not be kept: nothing after it may be sent. */
    private OutboxException brokenBy;
    /** Whether the last note could not be written. */
    private boolean isNoteMissing;
    /** Number from which on nothing is kept, because the session has ended before it; null if it has not. */
    private Long end;

    /**
     * @param name of the thread
     * @param outbox owned and closed by this object
     * @param kept receives each batch that is durable, in the order of numbers, on the writer's thread
     * @param failed receives each batch that could not be kept
     */
    OutboxWriter(
            String name,
            BrokerOutbox outbox,
            Consumer<OutgoingBatch> kept,
            BiConsumer<OutgoingBatch, RuntimeException> failed) {
        this.outbox = outbox;
        this.kept = kept;
        this.failed = failed;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.NANOSECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread created = new Thread(task, name);
                    created.setDaemon(true);
                    return created;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Sets the number of the first batch; before the first batch. */
    void begin(long firstNumber) {
        thread.execute(() -> nextNumber = firstNumber);
    }

    /** Takes a signed batch. Any thread. */
    void put(OutgoingBatch batch) {
        signed.add(batch);
        thread.execute(this::write);
    }

    /** Notes that a batch is in a block. Any thread. */
    void done(long number) {
        thread.execute(() -> note(() -> outbox.done(number)));
    }

    /**
     * Keeps nothing more from a number on, with which the session has ended. Those before it may still be signed. Any
     * thread.
     */
    void end(long number) {
        thread.execute(() -> {
            end = number;
            early.tailMap(number, true).clear();
        });
    }

    /**
     * Notes that the session cannot go on in a later run. Any thread.
     *
     * @param number that nodes have refused
     * @param why what they say
     */
    void refused(long number, String why) {
        thread.execute(() -> note(() -> outbox.refused(number, why)));
    }

    /**
     * What is only a note is tried again, or a later run learns it from nodes: a failure, an error included, is logged,
     * the first of many.
     */
    private void note(Runnable write) {
        try {
            write.run();
            isNoteMissing = false;
        } catch (OutboxException | Error e) {
            if (!isNoteMissing) {
                log.log(System.Logger.Level.ERROR, "the session goes on: " + e.getMessage(), e);
            }
            isNoteMissing = true;
        }
    }

    private void write() {
        if (brokenBy != null) {
            for (OutgoingBatch batch = signed.poll(); batch != null; batch = signed.poll()) {
                failed.accept(batch, brokenBy);
            }
            return;
        }
        for (OutgoingBatch batch = signed.poll(); batch != null; batch = signed.poll()) {
            if (end == null || batch.sealed().number() < end) {
                early.put(batch.sealed().number(), batch);
            }
        }
        List<OutgoingBatch> ready = new ArrayList<>();
        for (OutgoingBatch batch = early.remove(nextNumber); batch != null; batch = early.remove(nextNumber)) {
            ready.add(batch);
            nextNumber++;
        }
        if (ready.isEmpty()) {
            return;
        }
        try {
            outbox.append(ready.stream().map(OutgoingBatch::sealed).toList());
        } catch (OutboxException e) {
            brokenBy = e;
            // All of them first: the first one that fails ends those after it.
            ready.forEach(batch -> batch.mayBeInOutbox(e.isSent()));
            ready.forEach(batch -> failed.accept(batch, e));
            early.values().forEach(batch -> failed.accept(batch, e));
            early.clear();
            return;
        }
        ready.forEach(kept);
    }

    /** Writes what was put, and closes the outbox. */
    void close(long timeoutNs) throws InterruptedException {
        if (!thread.isShutdown()) {
            thread.execute(outbox::close);
            thread.shutdown();
        }
        thread.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
    }
}
