package io.sealbook.client;

import io.sealbook.protocol.sbe.RejectReason;

/** Found wrong before anything was signed or sent; names the entry and what the engine would have answered. */
public final class InvalidOrderException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final int orderIndex;
    private final RejectReason reason;

    /**
     * Makes the exception.
     *
     * @param orderIndex position of the entry in the submitted list, from 0
     * @param reason what an engine would answer
     * @param fact what is wrong: the value found and what is admitted
     */
    public InvalidOrderException(int orderIndex, RejectReason reason, String fact) {
        super("order " + orderIndex + ": " + reason + ": " + fact);
        this.orderIndex = orderIndex;
        this.reason = reason;
    }

    /** Returns the position of the entry in the submitted list, from 0; 0 too when the list itself is wrong. */
    public int orderIndex() {
        return orderIndex;
    }

    public RejectReason reason() {
        return reason;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
