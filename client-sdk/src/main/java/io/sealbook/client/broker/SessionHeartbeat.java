package io.sealbook.client.broker;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.metrics.ClientCounters;
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
 * the time at each look, unless the last renewal is without a result. Any thread.
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
    /** 0 if off. */
    private long units;
    /** Counts changes of the time: a look that belongs to an earlier one does nothing. */
    private long changes;

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
        long units = time.compareTo(Duration.ofDays(2)) > 0 ? -1 : time.toNanos() / UNIT_NS;
        boolean isWhole = units >= 0 && time.toNanos() == units * UNIT_NS;
        if (!isWhole || units != 0 && (units < UNITS_MIN || units > UNITS_MAX)) {
            throw new IllegalArgumentException(
                    "cancelAfter " + time + ", expected PT0S or PT1S..PT24H in steps of 10 ms");
        }
        return units;
    }

    /**
     * Sets the time and submits it. If that fails, the former time counts.
     *
     * @param time see {@link #units}
     * @param submit submits the entry
     * @return the receipt of its batch
     */
    CompletableFuture<Receipt> set(Duration time, Function<List<Order>, CompletableFuture<Receipt>> submit) {
        long next = units(time);
        // Not under the lock: it may wait for room, which the loop makes.
        CompletableFuture<Receipt> receipt = submit.apply(List.of(Order.cancelAfter(ids.incrementAndGet(), next)));
        Runnable takeBack = begin(next);
        receipt.whenComplete((done, failure) -> {
            if (failure != null) {
                takeBack.run();
            }
        });
        return receipt;
    }

    /** Renews another time from now on; returns what goes back to the one before, unless a later one has begun. */
    private synchronized Runnable begin(long next) {
        long before = units;
        units = next;
        long change = ++changes;
        if (units != 0) {
            loop.execute(() -> schedule(change));
        }
        return () -> takeBack(change, before);
    }

    private synchronized void takeBack(long change, long before) {
        if (change == changes) {
            begin(before);
        }
    }

    /** Switches the time off, if it is on and there is room for a batch; renews it no more in any case. */
    synchronized void end() {
        boolean wasOn = units != 0;
        units = 0;
        changes++;
        if (wasOn) {
            try {
                trySubmit(0);
            } catch (ClientClosedException e) {
                // The session has ended: the time runs out, and its orders are cancelled.
            }
        }
    }

    private Optional<CompletableFuture<Receipt>> trySubmit(long time) {
        return submission.trySubmit(List.of(Order.cancelAfter(ids.incrementAndGet(), time)));
    }

    private synchronized void schedule(long change) {
        if (change == changes) {
            long submitted = counters.submittedBatches.sum();
            loop.schedule(units * UNIT_NS / 3, () -> look(change, submitted));
        }
    }

    private synchronized void look(long change, long submittedBefore) {
        if (change != changes) {
            return;
        }
        boolean isIdle = counters.submittedBatches.sum() == submittedBefore && submission.inFlight() == 0;
        boolean isDue = isLateBatchPossible ? lastRenewal.isDone() : isIdle;
        try {
            if (isDue) {
                lastRenewal = trySubmit(units).orElse(lastRenewal);
            }
        } catch (ClientClosedException e) {
            units = 0; // A client that is being closed renews nothing.
            changes++;
            return;
        }
        schedule(change);
    }
}
