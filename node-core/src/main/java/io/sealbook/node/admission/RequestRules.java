package io.sealbook.node.admission;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.protocol.v1.RefusalReason;

/**
 * What an entry that is about no single order must fulfil: a mass cancel, or the time after which a silent session has
 * its orders cancelled. The engine checks all of it again.
 */
final class RequestRules {
    private static final byte ABSENT = 0;
    /** Bits of a mass cancel's scope, which is in the field quantity. */
    private static final long OF_ACCOUNT = 1;

    private static final long OF_SESSION = 2;
    /** A session is 16 bits wide in a batch. */
    private static final long SESSION_MAX = 0xFFFF;
    /** In units of 10 ms: 1 s. */
    private static final long CANCEL_AFTER_MIN = 100;
    /** In units of 10 ms: 24 h. */
    private static final long CANCEL_AFTER_MAX = 8_640_000;

    private RequestRules() {}

    static boolean isRequest(byte action) {
        return action == Action.MASS_CANCEL.value() || action == Action.CANCEL_AFTER.value();
    }

    private static boolean isMassCancel(OrdersDecoder entry) {
        return entry.actionRaw() == Action.MASS_CANCEL.value();
    }

    /** Refuses the slot if a field of the request is not one, in whatever configuration. */
    static void checkFields(IngressSlot slot, OrdersDecoder entry, int i) {
        boolean maySide = isMassCancel(entry) && OrderRules.isSide(entry.sideRaw());
        if (entry.clOrdId() == 0) {
            malformed(slot, i, OrdersDecoder.clOrdIdEncodingOffset(), "clOrdId", 0);
        } else if (entry.origClOrdId() != 0) {
            malformed(slot, i, OrdersDecoder.origClOrdIdEncodingOffset(), "origClOrdId", entry.origClOrdId());
        } else if (entry.sideRaw() != ABSENT && !maySide) {
            malformed(slot, i, OrdersDecoder.sideEncodingOffset(), "side", entry.sideRaw());
        } else if (entry.ordTypeRaw() != ABSENT) {
            malformed(slot, i, OrdersDecoder.ordTypeEncodingOffset(), "ordType", entry.ordTypeRaw());
        } else if (entry.timeInForceRaw() != ABSENT) {
            malformed(slot, i, OrdersDecoder.timeInForceEncodingOffset(), "timeInForce", entry.timeInForceRaw());
        } else if (entry.flags() != 0) {
            malformed(slot, i, OrdersDecoder.flagsEncodingOffset(), "flags", entry.flags());
        } else if (entry.reserved() != 0) {
            malformed(slot, i, OrdersDecoder.reservedEncodingOffset(), "reserved", entry.reserved());
        } else if (isMassCancel(entry)) {
            checkScope(slot, entry, i);
        } else {
            checkTime(slot, entry, i);
        }
    }

    private static void checkScope(IngressSlot slot, OrdersDecoder entry, int i) {
        long scope = entry.quantity();
        long sessionMax = (scope & OF_SESSION) == 0 ? 0 : SESSION_MAX;
        if ((scope & ~(OF_ACCOUNT | OF_SESSION)) != 0) {
            malformed(slot, i, OrdersDecoder.quantityEncodingOffset(), "scope", scope);
        } else if (entry.price() < 0 || entry.price() > sessionMax) {
            malformed(slot, i, OrdersDecoder.priceEncodingOffset(), "session", entry.price());
        } else if ((scope & OF_ACCOUNT) == 0 && entry.accountId() != 0) {
            malformed(slot, i, OrdersDecoder.accountIdEncodingOffset(), "account", entry.accountId());
        }
    }

    private static void checkTime(IngressSlot slot, OrdersDecoder entry, int i) {
        long units = entry.quantity();
        if (units != 0 && (units < CANCEL_AFTER_MIN || units > CANCEL_AFTER_MAX)) {
            malformed(slot, i, OrdersDecoder.quantityEncodingOffset(), "time", units);
        } else if (entry.price() != 0) {
            malformed(slot, i, OrdersDecoder.priceEncodingOffset(), "price", entry.price());
        } else if (entry.accountId() != 0) {
            malformed(slot, i, OrdersDecoder.accountIdEncodingOffset(), "account", entry.accountId());
        } else if (entry.instrumentId() != 0) {
            malformed(slot, i, OrdersDecoder.instrumentIdEncodingOffset(), "instrument", entry.instrumentId());
        }
    }

    private static void malformed(IngressSlot slot, int i, int fieldOffset, String name, long value) {
        OrderRules.malformed(slot, i, fieldOffset, name + " " + value);
    }

    /**
     * Refuses the slot if the request names what the broker, or the market, has not.
     *
     * @param slot gets the refusal
     * @param entry of the request
     * @param i its place in the batch
     * @param terms at present
     * @param broker of the batch
     */
    static void checkValues(IngressSlot slot, OrdersDecoder entry, int i, DoorTerms terms, DoorTerms.Entry broker) {
        int instrumentId = (int) entry.instrumentId();
        boolean isOfAccount = isMassCancel(entry) && (entry.quantity() & OF_ACCOUNT) != 0;
        if (instrumentId != 0 && terms.instrument(instrumentId) == null) {
            slot.refuseAtPresent(
                    RefusalReason.UNKNOWN_INSTRUMENT, "order " + i + ": instrument " + entry.instrumentId());
        } else if (isOfAccount && !broker.mayTradeFor((int) entry.accountId())) {
            slot.refuseAtPresent(RefusalReason.INVALID_ACCOUNT, "order " + i + ": account " + entry.accountId());
        }
    }
}
