package io.sealbook.client;

/** The outbox cannot be used: another program has it, its disk fails, or it does not belong to its session any more. */
public final class OutboxException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    /**
     * @param fact which directory, and what is wrong with it
     * @param cause what failed; null if nothing did
     */
    public OutboxException(String fact, Throwable cause) {
        super(fact, cause);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
