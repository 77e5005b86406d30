package io.sealbook.client;

/** What a broker's program can meet; each subclass is one kind of answer. */
public abstract sealed class BrokerClientException extends RuntimeException
        permits InvalidOrderException,
                BackPressureException,
                SubmitRejectedException,
                ExpiredException,
                RequestRefusedException,
                ClientClosedException,
                NoProofException,
                NoAgreementException,
                ConnectFailedException,
                OutboxException {
    private static final long serialVersionUID = 1;

    BrokerClientException(String message) {
        super(message);
    }

    BrokerClientException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns whether the same orders may be submitted again, as a new batch, without being executed twice. */
    public abstract boolean isRetryable();
}
