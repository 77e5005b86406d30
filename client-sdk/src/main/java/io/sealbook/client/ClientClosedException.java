package io.sealbook.client;

/** The client is closed, or failed, before this was finished. */
public final class ClientClosedException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final boolean isSent;

    /**
     * Makes the exception.
     *
     * @param isSent whether a node may have the batch, or get it from the outbox
     * @param fact why, for the message
     * @param cause may be null
     */
    public ClientClosedException(boolean isSent, String fact, Throwable cause) {
        super(fact, cause);
        this.isSent = isSent;
    }

    /**
     * Returns whether a node may have the batch, or get it from the outbox in the next run: then it may still be
     * executed until its validity ends.
     */
    public boolean isSent() {
        return isSent;
    }

    @Override
    public boolean isRetryable() {
        return !isSent;
    }
}
