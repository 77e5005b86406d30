package io.sealbook.client;

/** The outbox cannot be used: another program has it, its disk fails, or it does not belong to its session any more. */
public final class OutboxException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final boolean isSent;

    /**
     * @param fact which directory, and what is wrong with it
     * @param cause what failed; null if nothing did
     */
    public OutboxException(String fact, Throwable cause) {
        this(fact, cause, false);
    }

    /**
     * @param fact which directory, and what is wrong with it
     * @param cause what failed; null if nothing did
     * @param isSent whether the next run may get the batch from the outbox, though the disk refused it
     */
    public OutboxException(String fact, Throwable cause, boolean isSent) {
        super(fact, cause);
        this.isSent = isSent;
    }

    /**
     * Returns whether the next run may get the batch from the outbox, though the disk refused it: then it may still be
     * executed until its validity ends.
     */
    public boolean isSent() {
        return isSent;
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
