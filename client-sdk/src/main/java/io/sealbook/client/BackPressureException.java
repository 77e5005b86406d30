package io.sealbook.client;

/** The bound of batches in flight was reached and no room came within the deadline; nothing was submitted. */
public final class BackPressureException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final int inFlightMax;

    /**
     * Makes the exception.
     *
     * @param inFlightMax the bound that was reached
     * @param fact why, for the message
     */
    public BackPressureException(int inFlightMax, String fact) {
        super(inFlightMax + " batches in flight: " + fact);
        this.inFlightMax = inFlightMax;
    }

    public int inFlightMax() {
        return inFlightMax;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }
}
