package io.sealbook.client;

/** Fewer nodes than needed answered within the connect deadline; the report names the failing step of each. */
public final class ConnectFailedException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final transient ConnectionReport report;

    /**
     * Makes the exception.
     *
     * @param report the state of every endpoint
     * @param fact why connecting was given up
     */
    public ConnectFailedException(ConnectionReport report, String fact) {
        super(fact + "\n" + report);
        this.report = report;
    }

    public ConnectionReport report() {
        return report;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }
}
