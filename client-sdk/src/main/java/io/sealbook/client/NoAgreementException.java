package io.sealbook.client;

/** Too few engines reported the same within the time; the message has the last answer of each. */
public final class NoAgreementException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    /** @param facts the last answer of each engine */
    public NoAgreementException(String facts) {
        super(facts);
    }

    /** Returns true: engines start, catch up, and meet at a block. */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
