package io.sealbook.pbft;

/** Why a batch is forgotten. */
public enum DropReason {
    /** Delivered already. */
    DUPLICATE,
    /** Its validity ended before it was delivered. */
    EXPIRED,
    /** Too many batches wait; it may come back when it is named in a proposal or sent again. */
    PENDING_FULL
}
