package io.sealbook.node.admission;

import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;

/**
 * The answer to one batch.
 *
 * @param detail the fact that failed; empty if accepted
 * @param batchId null if the bytes were too malformed to have one, or were not looked at
 * @param retryAfterMs hint when to try again; 0 if a retry is useless
 * @param expectedNumber number that the node expects next in the session, if the batch leaves a gap; else 0
 */
public record Verdict(
        SubmitStatus status,
        RefusalReason reason,
        String detail,
        Digest batchId,
        int retryAfterMs,
        long expectedNumber) {
    static Verdict accepted(Digest batchId) {
        return new Verdict(SubmitStatus.ACCEPTED, RefusalReason.REFUSAL_REASON_UNSPECIFIED, "", batchId, 0, 0);
    }

    static Verdict alreadyKnown(Digest batchId) {
        return new Verdict(SubmitStatus.ALREADY_KNOWN, RefusalReason.REFUSAL_REASON_UNSPECIFIED, "", batchId, 0, 0);
    }

    /**
     * Returns the answer to a batch that is not taken.
     *
     * @param reason the rule that it breaks
     * @param detail the fact that failed
     * @param batchId null if it has none
     */
    public static Verdict refused(RefusalReason reason, String detail, Digest batchId) {
        return new Verdict(SubmitStatus.REFUSED, reason, detail, batchId, 0, 0);
    }

    /** Returns the answer to a batch whose slot has the reason. */
    static Verdict refused(IngressSlot slot) {
        return new Verdict(SubmitStatus.REFUSED, slot.refusal, slot.detail, slot.batchId, slot.retryAfterMs, 0);
    }

    /** Returns the answer to a batch before which others are missing. */
    static Verdict gap(long expectedNumber, String detail, Digest batchId) {
        return new Verdict(SubmitStatus.REFUSED, RefusalReason.SEQUENCE_GAP, detail, batchId, 0, expectedNumber);
    }

    /**
     * Returns the answer of a node that has no room at present.
     *
     * @param detail limit that is reached
     * @param retryAfterMs hint for the sender; 0 if there is none
     */
    public static Verdict busy(String detail, int retryAfterMs) {
        return busy(detail, retryAfterMs, null);
    }

    /**
     * Returns the answer of a node that has no room for a batch at present.
     *
     * @param detail limit that is reached
     * @param retryAfterMs hint for the sender; 0 if there is none
     * @param batchId null if the batch was not looked at
     */
    static Verdict busy(String detail, int retryAfterMs, Digest batchId) {
        return new Verdict(SubmitStatus.REFUSED, RefusalReason.BUSY, detail, batchId, retryAfterMs, 0);
    }

    /** Returns the answer of a node that does not take batches now. */
    public static Verdict notReady(String detail) {
        return new Verdict(SubmitStatus.REFUSED, RefusalReason.NOT_READY, detail, null, 0, 0);
    }
}
