package io.sealbook.pbft;

import io.sealbook.vocabulary.Digest;

/** A batch whose payload is held and which has not been delivered. */
final class PendingBatch {
    final Digest batchId;
    final int client;
    final long arrivalTimeNs;
    long validUntilBlock;
    /** STATUS period in which it arrived. */
    final long tick;
    /** Bit i: replica i holds the payload. */
    long holders;
    /** When its validity is looked at: {@link #validUntilBlock}, later if a proposal names it then. */
    long expiresAt;
    /** Waits to be proposed by this replica. */
    boolean isQueued;
    /** Its neighbours in {@link ValidityQueue}, which alone changes them. */
    PendingBatch previous;

    PendingBatch next;
    /**
     * Period in which it began to wait, and its neighbours of the same broker, in {@link Supervision}, which alone
     * changes them.
     */
    long waitingSince;

    PendingBatch earlier;
    PendingBatch later;

    PendingBatch(Input.BatchAvailable batch, long tick, long holders) {
        batchId = batch.batchId();
        client = batch.client();
        arrivalTimeNs = batch.arrivalTimeNs();
        validUntilBlock = batch.validUntilBlock();
        expiresAt = validUntilBlock;
        this.tick = tick;
        this.holders = holders;
    }

    /** Ends its validity. */
    void withdraw() {
        validUntilBlock = 0;
        expiresAt = 0;
    }
}
