package io.sealbook.client;

/** No node had a proof that holds within the time; the message has the last answer of each. */
public final class NoProofException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    /** @param facts the last answer of each node */
    public NoProofException(String facts) {
        super(facts);
    }

    /** Returns true: a certificate comes a second after the last block, unless a quorum of nodes is missing. */
    @Override
    public boolean isRetryable() {
        return true;
    }
}
