package io.sealbook.client;

import io.sealbook.protocol.v1.RefusalReason;

/**
 * f + 1 nodes, of which one is correct, refused the batch, and no other node had been given it. The reason is that of
 * the last one. What proves that a batch was never executed is {@link ExpiredException} with
 * {@link ExpiredException.Outcome#NOT_EXECUTED}.
 */
public final class SubmitRejectedException extends BrokerClientException {
    private static final long serialVersionUID = 1;

    private final RefusalReason reason;
    private final int nodeId;
    private final String detail;

    /**
     * Makes the exception.
     *
     * @param reason the node's
     * @param nodeId the node that refused last
     * @param detail the node's own words; may be empty
     */
    public SubmitRejectedException(RefusalReason reason, int nodeId, String detail) {
        super("node " + nodeId + " refused the batch: " + reason + (detail.isEmpty() ? "" : ": " + detail));
        this.reason = reason;
        this.nodeId = nodeId;
        this.detail = detail;
    }

    public RefusalReason reason() {
        return reason;
    }

    public int nodeId() {
        return nodeId;
    }

    public String detail() {
        return detail;
    }

    /** A refusal for lack of room or readiness, or for a validity window, is no judgement of the orders. */
    @Override
    public boolean isRetryable() {
        return switch (reason) {
            case BUSY, RATE_QUOTA, NOT_READY, EXPIRED_VALIDITY, VALIDITY_TOO_FAR -> true;
            default -> false;
        };
    }
}
