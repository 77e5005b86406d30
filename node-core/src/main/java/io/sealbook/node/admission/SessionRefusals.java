package io.sealbook.node.admission;

import io.sealbook.node.session.Offer;
import io.sealbook.node.session.SessionHead;
import io.sealbook.node.session.Sessions;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SessionKey;

/** The verdicts about batches that do not extend their session. Admission thread. */
final class SessionRefusals {
    private static final int BUSY_RETRY_MS = 50;

    private final Sessions sessions;

    SessionRefusals(Sessions sessions) {
        this.sessions = sessions;
    }

    Verdict suspended(IngressSlot slot) {
        return Verdict.refused(
                RefusalReason.SESSION_SUSPENDED,
                SessionKey.name(slot.sessionKey) + " is suspended here: two batches were signed under one number",
                slot.batchId);
    }

    /**
     * Returns the verdict about a batch that was not taken.
     *
     * @param offer why
     * @param slot of the batch
     */
    Verdict of(Offer offer, IngressSlot slot) {
        SessionHead head = sessions.head(slot.sessionKey);
        String number =
                "number " + Long.toUnsignedString(slot.position.number()) + " of " + SessionKey.name(slot.sessionKey);
        String expected = ", expected is number " + Long.toUnsignedString(head.next());
        return switch (offer) {
            case TAKEN, HELD, DELIVERED -> Verdict.alreadyKnown(slot.batchId);
            case PASSED ->
                Verdict.refused(
                        RefusalReason.NUMBER_TAKEN, number + " was delivered long ago" + expected, slot.batchId);
            case CONFLICT ->
                Verdict.refused(RefusalReason.NUMBER_TAKEN, number + " belongs to another batch", slot.batchId);
            case BROKEN_CHAIN ->
                Verdict.refused(
                        RefusalReason.BROKEN_CHAIN,
                        number + " does not follow batch " + head.heldId() + expected,
                        slot.batchId);
            case GAP -> Verdict.gap(head.next(), number + " leaves a gap" + expected, slot.batchId);
            case FULL ->
                Verdict.busy(
                        number + ": too many batches of the session wait for their block", BUSY_RETRY_MS, slot.batchId);
        };
    }
}
