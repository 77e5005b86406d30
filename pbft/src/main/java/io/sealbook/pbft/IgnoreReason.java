package io.sealbook.pbft;

/** Why a message was refused. */
public enum IgnoreReason {
    /** Counted already; harmless. */
    DUPLICATE(false),
    /** Of a view that this replica left. */
    OLD_VIEW(false),
    /** Of a view that has not begun here, and there was no room to keep it. */
    FUTURE_VIEW(false),
    /** At or below the low watermark, or above the high one. */
    OUT_OF_WINDOW(false),
    /** This replica is isolated or does not need it. */
    NOT_NEEDED(false),
    /** The block time goes backwards or strays from this replica's clock; may be this replica's own clock. */
    BLOCK_TIME(false),
    /** A batch in the proposal was delivered before or is in another proposal of the view. */
    DUPLICATE_BATCH(false),
    /** The proposal does not name the predecessor that this replica has; the primary made two of them. */
    WRONG_PREDECESSOR(true),
    /** The sender acknowledged more unknown batches than its share. */
    QUOTA(true),
    /** Claims to be from a replica that does not exist, or from this one. */
    UNKNOWN_SENDER(true),
    /** Only the primary of the view may send it, or the primary must not. */
    WRONG_ROLE(true),
    /** The sender voted otherwise before in the same view and sequence; the two messages are evidence. */
    CONFLICTING(true),
    /** Breaks a rule of form: sequence, certificates, counts. */
    MALFORMED(true),
    /** A NEW-VIEW whose proposals do not follow from its VIEW-CHANGEs. */
    WRONG_NEW_VIEW(true);

    private final boolean isFault;

    IgnoreReason(boolean isFault) {
        this.isFault = isFault;
    }

    /** Returns whether only a faulty sender can have caused it. */
    public boolean isFault() {
        return isFault;
    }
}
