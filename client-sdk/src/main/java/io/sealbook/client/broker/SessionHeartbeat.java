package io.sealbook.client.broker;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExpiredException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.connection.BoundedTime;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.client.submission.BatchReservation;
import io.sealbook.client.submission.SubmissionPipeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Keeps the cancel-after time of the client's session from running out while the program lives. A third of the time
 * after the last look, if no batch was submitted meanwhile and none is without a result, it submits the time again. A
 * batch with a time to live may be late, and a late one renews nothing: if the client's batches have one, it submits
 * the time at each look, unless the last renewal is without a result. After a time of which no receipt came the chain
 * may have that one or the one before: it goes back to the one before, and submits it until it has a receipt. Renewals
 * need no room among the client's batches. Any thread.
 */
final class SessionHeartbeat {
    private static final long UNIT_NS = 10_000_000;
    private static final long UNITS_MIN = 100;
    private static final long UNITS_MAX = 8_640_000;
    /** Above the ids that programs choose in practice; such an id may be that of a live order all the same. */
    private static final long FIRST_ID = 1L << 63;

    private final ClientLoop loop;
    private final SubmissionPipeline submission;
    private final ClientCounters counters;
    private final boolean isLateBatchPossible;
    private final AtomicLong ids = new AtomicLong(FIRST_ID);
    /** The time to renew; 0 if off. */
    private long units;
    /** Counts changes of the time: a look that belongs to an earlier one does nothing. */
    private long changes;
    /** The last time that has a receipt, and its change. */
    private long confirmed;

    private long confirmedChange;
    /** Whether the chain may have another time than the confirmed one, though no later one was set. */
    private boolean isGoingBack;

    private CompletableFuture<Receipt> lastRenewal = CompletableFuture.completedFuture(null);

    /**
     * Makes a heartbeat of a session whose time is off.
     *
     * @param loop looks at times
     * @param submission takes the renewals
     * @param counters has the number of submitted batches
     * @param isLateBatchPossible whether batches have a time to live
     */
    SessionHeartbeat(
            ClientLoop loop, SubmissionPipeline submission, ClientCounters counters, boolean isLateBatchPossible) {
        this.loop = loop;
        this.submission = submission;
        this.counters = counters;
        this.isLateBatchPossible = isLateBatchPossible;
    }

    /**
     * Returns the units of a time.
     *
     * @throws IllegalArgumentException unless it is zero, or 1 s to 24 h in steps of 10 ms
     */
    static long units(Duration time) {
        long timeNs = BoundedTime.of(time).toNanos();
        long units = timeNs / UNIT_NS;
        boolean isWhole = units >= 0 && timeNs == units * UNIT_NS;
        if (!isWhole || units != 0 && (units < UNITS_MIN || units > UNITS_MAX)) {
            throw new IllegalArgumentException(
                    "cancelAfter " + time + ", expected PT0S or PT1S..PT24H in steps of 10 ms");
        }
        return units;
    }

    /**
     * Sets the time and submits it. If that fails, the last time that has a receipt counts.
     *
     * @param time see {@link #units}
     * @param room waits for the place of a batch of the entry
     * @return the receipt of its batch
     * @throws ClientClosedException after {@link #end}
     */
    CompletableFuture<Receipt> set(Duration time, Function<List<Order>, BatchReservation> room) {
        long next = units(time);
        List<Order> entry = List.of(Order.cancelAfter(ids.incrementAndGet(), next));
        // Not under the lock: the loop makes room, and takes the lock.
        return put(entry, next, room.apply(entry));
    }

    /** Changes have the order of their batches: the last one is what the chain counts. */
    private synchronized CompletableFuture<Receipt> put(List<Order> entry, long next, BatchReservation place) {
        CompletableFuture<Receipt> receipt = place.put(entry);
        long change = begin(next);
        loop.execute(() -> schedule(change));
        receipt.whenComplete((done, failure) -> {
            if (failure == null) {
                confirm(change, next);
            } else {
                goBack(change, failure instanceof ExpiredException);
            }
        });
        return receipt;
    }

    /** Renews another time from now on; returns the number of this change. */
    private synchronized long begin(long next) {
        units = next;
        isGoingBack = false;
        return ++changes;
    }

    private synchronized void confirm(long change, long time) {
        if (change > confirmedChange) {
            confirmedChange = change;
            confirmed = time;
        }
        if (change == changes) {
            isGoingBack = false;
        }
    }

    /** Goes back to the confirmed time, unless a later one has begun; says so to the chain if the session goes on. */
    private synchronized void goBack(long failed, boolean isSessionOpen) {
        if (failed != changes) {
            return;
        }
        long change = begin(confirmed);
        isGoingBack = isSessionOpen;
        loop.execute(isSessionOpen ? () -> look(change, counters.submittedBatches.sum()) : () -> schedule(change));
    }

    /** Switches the time off, unless the chain has it off, as the last batch of the client. */
    synchronized void end() {
        boolean isOff = confirmed == 0 && confirmedChange == changes;
        begin(0);
        if (!isOff) {
            try {
                tryRenew(0);
            } catch (ClientClosedException e) {
                // The session has ended: the time runs out, and its orders are cancelled.
            }
        }
        // Under the lock: no other thread sets the time after it.
        submission.end();
    }

    private Optional<CompletableFuture<Receipt>> tryRenew(long time) {
        return submission.tryRenew(Order.cancelAfter(ids.incrementAndGet(), time));
    }

    private synchronized void schedule(long change) {
        if (change == changes && (units != 0 || isGoingBack)) {
            long submitted = counters.submittedBatches.sum();
            loop.schedule(Math.max(units, UNITS_MIN) * UNIT_NS / 3, () -> look(change, submitted));
        }
    }

    private synchronized void look(long change, long submittedBefore) {
        if (change != changes) {
            return;
        }
        boolean isIdle = counters.submittedBatches.sum() == submittedBefore && submission.inFlight() == 0;
        boolean isDue = isGoingBack || isLateBatchPossible || isIdle;
        try {
            if (isDue && lastRenewal.isDone()) {
                tryRenew(units).ifPresent(receipt -> onRenewing(change, receipt));
            }
        } catch (ClientClosedException e) {
            begin(0); // A client that is being closed renews nothing.
            return;
        }
        schedule(change);
    }

    private void onRenewing(long change, CompletableFuture<Receipt> receipt) {
        lastRenewal = receipt;
        if (isGoingBack) {
            long time = units;
            receipt.thenAccept(done -> confirm(change, time));
        }
    }
}
