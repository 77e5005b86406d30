package io.sealbook.client.submission;

import io.sealbook.client.BackPressureException;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.metrics.ClientCounters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Puts orders into batches and batches in line. Callers are many threads, hence the lock, which is held for a few
 * stores; waiting for room happens outside of it. A batch in flight holds one permit from its first order to its
 * result. Renewals have places beside them: callers that wait for room take each permit as it comes.
 */
final class BatchAssembler {
    /** Receives closed batches in their order; called under the lock, must only hand over. */
    interface Line {
        void onClosed(OutgoingBatch batch);

        /** Asks that {@link BatchAssembler#closeIfDue} be called after the batch delay. */
        void onOpened();
    }

    /** For one renewal and the client's last word. */
    private static final int RENEWALS_MAX = 2;

    private final SubmissionConfig config;
    private final int nodeCapacity;
    private final Line line;
    private final ClientCounters counters;
    private final Semaphore room;
    private final Semaphore renewalRoom = new Semaphore(RENEWALS_MAX);
    private final Object lock = new Object();
    private OutgoingBatch open;
    private long openedAtNs;
    private boolean isEnded;
    private long batchCount;

    BatchAssembler(SubmissionConfig config, int nodeCapacity, Line line, ClientCounters counters) {
        this.config = config;
        this.nodeCapacity = nodeCapacity;
        this.line = line;
        this.counters = counters;
        this.room = new Semaphore(config.inFlightMax());
    }

    /** Adds an order to the open batch, or opens one; empty when there is no room within the time. */
    Optional<CompletableFuture<Receipt>> add(Order order, long timeoutNs) {
        Optional<CompletableFuture<Receipt>> joined = join(order, false);
        if (joined.isPresent()) {
            return joined;
        }
        if (!acquire(timeoutNs)) {
            return Optional.empty();
        }
        return join(order, true);
    }

    /** Puts a list in line as a batch of its own, after the open one; empty if there is no room within the time. */
    Optional<CompletableFuture<Receipt>> addBatch(List<Order> orders, long timeoutNs) {
        return reserve(timeoutNs).map(place -> place.put(orders));
    }

    /** Waits for room for a batch; empty if there is none within the time. */
    Optional<BatchReservation> reserve(long timeoutNs) {
        return acquire(timeoutNs) ? Optional.of(orders -> putInLine(orders, room)) : Optional.empty();
    }

    /** Puts a renewal in line as {@link #addBatch} does; empty if earlier ones have taken the places of renewals. */
    Optional<CompletableFuture<Receipt>> addRenewal(Order order) {
        return renewalRoom.tryAcquire() ? Optional.of(putInLine(List.of(order), renewalRoom)) : Optional.empty();
    }

    private CompletableFuture<Receipt> putInLine(List<Order> orders, Semaphore place) {
        synchronized (lock) {
            checkNotEnded(place);
            closeOpen();
            OutgoingBatch batch = new OutgoingBatch(List.copyOf(orders), nodeCapacity);
            batch.isRenewal(place == renewalRoom);
            CompletableFuture<Receipt> future = batch.newFuture();
            close(batch);
            return future;
        }
    }

    /** Closes the open batch if its delay has passed; returns the nanoseconds left of it, 0 when no batch is open. */
    long closeIfDue() {
        synchronized (lock) {
            if (open == null) {
                return 0;
            }
            long leftNs = openedAtNs + config.batchDelayNs() - System.nanoTime();
            if (leftNs <= 0) {
                closeOpen();
                return 0;
            }
            return leftNs;
        }
    }

    /** Puts what is open in line and takes no more. */
    void end() {
        synchronized (lock) {
            closeOpen();
            isEnded = true;
        }
    }

    /** Gives the place of a batch with a result to the next. */
    void release(OutgoingBatch batch) {
        (batch.isRenewal() ? renewalRoom : room).release();
    }

    /** Returns the number of batches without a result, the open one included, renewals not. */
    int inFlight() {
        return config.inFlightMax() - room.availablePermits();
    }

    /** Joins the open batch, or opens one with the permit that the caller holds. */
    private Optional<CompletableFuture<Receipt>> join(Order order, boolean hasPermit) {
        synchronized (lock) {
            if (open == null) {
                if (!hasPermit) {
                    return Optional.empty();
                }
                checkNotEnded(room);
                open = new OutgoingBatch(new ArrayList<>(config.batchSizeMax()), nodeCapacity);
                openedAtNs = System.nanoTime();
                if (config.batchDelayNs() > 0 && config.batchSizeMax() > 1) {
                    line.onOpened();
                }
            } else if (hasPermit) {
                // Another caller opened one while this one waited.
                room.release();
            }
            OutgoingBatch batch = open;
            batch.orders().add(order);
            CompletableFuture<Receipt> future = batch.newFuture();
            if (batch.orderCount() == config.batchSizeMax() || config.batchDelayNs() == 0) {
                closeOpen();
            }
            return Optional.of(future);
        }
    }

    /** Gives the caller's permit back where no batch can be opened with it. */
    private void checkNotEnded(Semaphore place) {
        if (isEnded) {
            place.release();
            throw new ClientClosedException(false, "client is closed", null);
        }
    }

    private void closeOpen() {
        OutgoingBatch closing = open;
        open = null;
        if (closing != null) {
            close(closing);
        }
    }

    private void close(OutgoingBatch batch) {
        batch.number(batchCount++);
        counters.submittedBatches.increment();
        counters.submittedOrders.add(batch.orderCount());
        line.onClosed(batch);
    }

    private boolean acquire(long timeoutNs) {
        if (room.tryAcquire()) {
            return true;
        }
        if (timeoutNs == 0) {
            return false;
        }
        try {
            return room.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackPressureException(config.inFlightMax(), "interrupted while waiting for room");
        }
    }
}
