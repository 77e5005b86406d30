package io.sealbook.client;

/** The last block that may contain the batch has passed and no agreed receipt came. */
public final class ExpiredException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    /** What is known about an expired batch. */
    public enum Outcome {
        /**
         * f+1 nodes have gone beyond the last admissible block without the batch: no correct node will ever execute it.
         */
        NOT_EXECUTED,
        /**
         * The block has passed, but fewer than f+1 nodes could be followed: the reports of a later session show the
         * outcome.
         */
        UNKNOWN
    }

    private final Outcome outcome;
    private final long validUntilBlock;

    /**
     * Makes the exception.
     *
     * @param outcome what is known
     * @param validUntilBlock the last block that could contain the batch
     * @param fact why, for the message
     */
    public ExpiredException(Outcome outcome, long validUntilBlock, String fact) {
        super("batch expired at block " + validUntilBlock + ", " + outcome + ": " + fact);
        this.outcome = outcome;
        this.validUntilBlock = validUntilBlock;
    }

    public Outcome outcome() {
        return outcome;
    }

    public long validUntilBlock() {
        return validUntilBlock;
    }

    @Override
    public boolean isRetryable() {
        return outcome == Outcome.NOT_EXECUTED;
    }
}
