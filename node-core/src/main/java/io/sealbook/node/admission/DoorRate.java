package io.sealbook.node.admission;

import io.sealbook.membership.RateMeter;
import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SignedBatch;

/**
 * How fast a broker may send at present, and what all members have taken of it lately. A courtesy that keeps floods
 * away from agreement: the engine judges by block time, and has the last word. Time is that of arrival at this node.
 *
 * <p>Only batches that brokers hand in are refused. Those of peers are charged, so that a broker that sends to all
 * members has its rate once. Admission charges; any lane may ask.
 *
 * @param quota at present; none of a broker without limits
 * @param meter goes on under other quotas
 */
record DoorRate(RateQuota quota, RateMeter meter) {
    private static final int NS_PER_MS = 1_000_000;
    private static final int RETRY_MAX_MS = 60_000;

    /** Returns a broker's rate without a past. */
    static DoorRate of(RateQuota quota) {
        return new DoorRate(quota, new RateMeter(RateMeter.DOOR_BURST_NS));
    }

    /** Returns the rate of the same broker under another quota. */
    DoorRate under(RateQuota other) {
        return new DoorRate(other, meter);
    }

    /** Refuses a batch of a broker that is beyond its quota; it fits again after the hint, and nothing ends by it. */
    void check(IngressSlot slot) {
        if (quota.isNone()) {
            return;
        }
        long waitNs = meter.waitNs(quota, limited(slot), slot.bytes.length, slot.receivedNanos);
        if (waitNs > 0) {
            slot.refuseAtPresent(
                    RefusalReason.RATE_QUOTA,
                    "broker " + Integer.toUnsignedString(slot.brokerId) + " sends faster than " + quota);
            slot.retryAfterMs = (int) Math.min(RETRY_MAX_MS, (waitNs + NS_PER_MS - 1) / NS_PER_MS);
        }
    }

    /** Charges a batch that this node keeps, whoever brought it. */
    void charge(IngressSlot slot) {
        if (!quota.isNone()) {
            meter.charge(quota, limited(slot), slot.bytes.length, slot.receivedNanos);
        }
    }

    /** Returns the number of entries that are no cancel of any kind. */
    private static int limited(IngressSlot slot) {
        int limited = 0;
        for (int i = 0; i < slot.orderCount; i++) {
            int at = SignedBatch.ORDERS_OFFSET + i * SignedBatch.ORDER_LENGTH;
            byte action = slot.bytes[at + OrdersDecoder.actionEncodingOffset()];
            boolean isCancel = action == Action.CANCEL.value() || RequestRules.isRequest(action);
            limited += isCancel ? 0 : 1;
        }
        return limited;
    }
}
