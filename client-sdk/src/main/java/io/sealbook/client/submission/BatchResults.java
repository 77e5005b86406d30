package io.sealbook.client.submission;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExpiredException;
import io.sealbook.client.Receipt;
import io.sealbook.client.metrics.ClientCounters;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Takes batches out of line with their results and completes their futures on another thread. Loop thread only. */
final class BatchResults {
    private final BatchLine line;
    private final Executor completions;
    private final ClientCounters counters;
    private final SessionListener listener;
    private final boolean hasOutbox;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private boolean isDraining;
    /** Not null once nothing is sent any more. */
    private Throwable endedBy;

    /**
     * @param line of the batches without a result
     * @param completions completes futures
     * @param counters batches, refusals and expiries are counted there
     * @param listener hears of each batch that leaves, on the thread that completes futures
     * @param hasOutbox whether a later run may send what this one has not
     */
    BatchResults(
            BatchLine line,
            Executor completions,
            ClientCounters counters,
            SessionListener listener,
            boolean hasOutbox) {
        this.line = line;
        this.completions = completions;
        this.counters = counters;
        this.listener = listener;
        this.hasOutbox = hasOutbox;
    }

    /** Returns whether the session has ended: no batch is put in line any more. */
    boolean isEnded() {
        return endedBy != null;
    }

    /** Fails a batch that came after the end of the session. */
    void tooLate(OutgoingBatch batch) {
        finish(batch, null, endedBy);
    }

    /**
     * Ends a batch that a block holds in time.
     *
     * @param batch not completed before, unless it is settled
     * @param receipt agreed on by f+1 nodes
     */
    void committed(OutgoingBatch batch, Receipt receipt) {
        batch.isInBlock = true;
        counters.committedBatches.increment();
        counters.committedOrders.add(batch.orderCount());
        finish(batch, receipt, null);
    }

    /**
     * Ends a batch that a block holds after its validity: it is not executed.
     *
     * @param batch not completed before, unless it is settled
     * @param block sequence of the block
     */
    void committedTooLate(OutgoingBatch batch, long block) {
        batch.isInBlock = true;
        expired(
                batch,
                new ExpiredException(
                        ExpiredException.Outcome.NOT_EXECUTED,
                        batch.sealed().validUntilBlock(),
                        "block " + block + " holds it"));
        finish(batch, null, null);
    }

    /** Ends a batch of an earlier run that is in a block; its receipt is not asked for again. */
    void deliveredBefore(OutgoingBatch batch) {
        batch.isInBlock = true;
        batch.isSettled = true;
        finish(batch, null, null);
    }

    /**
     * Completes the futures of a batch that no block executes any more; it stays in line until a block holds it.
     *
     * @param batch may be settled already
     * @param failure what its futures fail with
     */
    void expired(OutgoingBatch batch, ExpiredException failure) {
        if (!batch.isSettled) {
            batch.isSettled = true;
            counters.expired.increment();
            completions.execute(() -> batch.completeExceptionally(failure));
        }
    }

    /**
     * Ends a batch without a receipt.
     *
     * @param batch not completed before, unless it is settled
     * @param cause what its futures fail with
     */
    void failed(OutgoingBatch batch, Throwable cause) {
        finish(batch, null, cause);
    }

    /**
     * Ends the session after a batch that nodes do not take: those after it name it, and cannot be taken. Those before
     * it keep their place, and have their results.
     *
     * @param last left without a receipt
     * @param fact message of the failure of the batches after it
     * @param cause why it left
     */
    void endSession(OutgoingBatch last, String fact, Throwable cause) {
        if (endedBy == null) {
            endedBy = new ClientClosedException(false, fact, cause);
        }
        for (OutgoingBatch batch : line.all()) {
            if (batch.number() > last.number()) {
                boolean isSent = batch.mayBeInOutbox() || last.isOfEarlierRun && mayBeSent(batch);
                finish(batch, null, new ClientClosedException(isSent, fact, cause));
            }
        }
    }

    /**
     * Ends every batch that is left.
     *
     * @param fact message of the failure
     * @param cause its cause; null when the client was closed
     */
    void abandonAll(String fact, Throwable cause) {
        if (endedBy == null) {
            endedBy = new ClientClosedException(hasOutbox, "client is closed", cause);
        }
        for (OutgoingBatch batch : line.all()) {
            finish(batch, null, new ClientClosedException(mayBeSent(batch), fact, cause));
        }
    }

    /** Returns whether a node may have the batch, or get it in a later run. */
    private boolean mayBeSent(OutgoingBatch batch) {
        return hasOutbox || !batch.holders.isEmpty();
    }

    /** Completes the returned future when no batch is left without a result. */
    CompletableFuture<Void> drain() {
        isDraining = true;
        checkDrained();
        return drained;
    }

    private void finish(OutgoingBatch batch, Receipt receipt, Throwable failure) {
        batch.isDone = true;
        line.remove(batch);
        completions.execute(() -> {
            try {
                // First, so that a listener finds room; a slow listener to results holds back the next release.
                listener.onLeft(batch);
            } finally {
                complete(batch, receipt, failure);
            }
        });
        checkDrained();
    }

    private static void complete(OutgoingBatch batch, Receipt receipt, Throwable failure) {
        if (batch.isSettled) {
            return;
        }
        if (failure == null) {
            batch.complete(receipt);
        } else {
            batch.completeExceptionally(failure);
        }
    }

    private void checkDrained() {
        if (isDraining && line.isEmpty()) {
            drained.complete(null);
        }
    }
}
