package io.sealbook.client;

import java.util.OptionalInt;

/** Whom to believe about execution reports. */
public final class ReportAgreement {
    private static final int QUORUM = -1;
    private final int trustedNodeId;

    private ReportAgreement(int trustedNodeId) {
        this.trustedNodeId = trustedNodeId;
    }

    /** A report counts once f+1 engines vouch for the same bytes: at least one of them is correct. */
    public static ReportAgreement quorum() {
        return new ReportAgreement(QUORUM);
    }

    /**
     * The engine of one node is trusted, because the broker runs it or chose to: a quarter of the traffic, no
     * protection.
     */
    public static ReportAgreement trusting(int nodeId) {
        if (nodeId < 0) {
            throw new IllegalArgumentException("nodeId " + nodeId);
        }
        return new ReportAgreement(nodeId);
    }

    /** Returns the trusted node, or empty where f+1 must agree. */
    public OptionalInt trustedNodeId() {
        return trustedNodeId == QUORUM ? OptionalInt.empty() : OptionalInt.of(trustedNodeId);
    }
}
