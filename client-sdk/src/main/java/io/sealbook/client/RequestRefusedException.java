package io.sealbook.client;

import io.sealbook.protocol.sbe.RejectReason;

/** Engines refused a request that is about no single order; nothing was cancelled by it. */
public final class RequestRefusedException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final RejectReason reason;

    /** @param report the refusal */
    public RequestRefusedException(ExecutionReport report) {
        super(report.action() + " " + Long.toUnsignedString(report.clOrdId()) + ": " + report.rejectReason());
        this.reason = report.rejectReason();
    }

    public RejectReason reason() {
        return reason;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }
}
