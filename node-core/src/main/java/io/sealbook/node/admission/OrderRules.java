package io.sealbook.node.admission;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;

/**
 * What every entry of a batch must fulfil before it may be ordered. One bad entry refuses the whole batch: the
 * signature covers them together. The engine checks again what depends on its books, and everything that depends on the
 * membership: of a peer's batch only the fields of the entries are judged here, which every node judges alike. Halts
 * and suspensions are left to the engine for all batches: they come while brokers trade, and a refused batch ends its
 * session, because the batches after it name it.
 */
final class OrderRules {
    private static final byte ABSENT = 0;

    /** Offset of ordType in a kind. */
    private static final int ORD_TYPE_SHIFT =
            8 * (OrdersDecoder.ordTypeEncodingOffset() - OrdersDecoder.actionEncodingOffset());
    /** 2^64 divided by the golden ratio. */
    private static final long KIND_FACTOR = 0x9E3779B97F4A7C15L;

    private static final int KINDS = 64;
    private static final int KIND_SHIFT = Long.numberOfLeadingZeros(KINDS - 1);

    /** What {@link #last} belongs to; null before the first batch. */
    private DoorTerms terms;
    /** Kinds that passed {@link #checkFields}, each in its own place; 0, which never passes, where there is none. */
    private final long[] soundKinds = new long[KINDS];
    /** The instrument that passed last; null if there is none. */
    private Instrument last;

    /**
     * Refuses the slot for the first entry that breaks a rule. Nearly every entry is of a kind and an instrument that
     * passed before, and of its predecessor's account: for it a few words are read; whatever is not seen to be right so
     * is looked at field by field.
     *
     * @param slot gets the refusal; it is {@link IngressSlot#isPresentOnly} if it depends on the terms
     * @param batch at its first entry
     * @param now terms at present
     * @param broker of the batch
     */
    void check(IngressSlot slot, OrderBatchDecoder batch, DoorTerms now, DoorTerms.Entry broker) {
        if (terms != now) {
            terms = now;
            last = null;
        }
        OrdersDecoder orders = batch.orders();
        DirectBuffer buffer = batch.buffer();
        int permitted = 0;
        boolean isPermitted = false;
        int at = SignedBatch.ORDERS_OFFSET;
        for (int i = 0; orders.hasNext(); i++, at += SignedBatch.ORDER_LENGTH) {
            orders.next();
            int accountId = buffer.getInt(at + OrdersDecoder.accountIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
            if (isPermitted && accountId == permitted && isSeenToBeRight(buffer, at)) {
                continue;
            }
            checkFields(slot, orders, i);
            if (slot.refusal == null) {
                checkValues(slot, orders, i, broker);
            }
            if (slot.refusal != null) {
                return;
            }
            if (!RequestRules.isRequest(orders.actionRaw())) {
                remember(buffer, at);
                permitted = accountId;
                isPermitted = true;
            }
        }
    }

    /**
     * Refuses the slot for the first entry whose fields are not those of an order.
     *
     * @param slot gets the refusal
     * @param batch at its first entry
     */
    void checkFieldsOnly(IngressSlot slot, OrderBatchDecoder batch) {
        OrdersDecoder orders = batch.orders();
        DirectBuffer buffer = batch.buffer();
        int at = SignedBatch.ORDERS_OFFSET;
        for (int i = 0; orders.hasNext(); i++, at += SignedBatch.ORDER_LENGTH) {
            orders.next();
            long kind = kind(buffer, at);
            if (kind != 0 && soundKinds[place(kind)] == kind) {
                continue;
            }
            checkFields(slot, orders, i);
            if (slot.refusal != null) {
                return;
            }
            if (!RequestRules.isRequest(orders.actionRaw())) {
                soundKinds[place(kind)] = kind;
            }
        }
    }

    private boolean isSeenToBeRight(DirectBuffer buffer, int at) {
        long kind = kind(buffer, at);
        int instrumentId = buffer.getInt(at + OrdersDecoder.instrumentIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        if (kind == 0 || soundKinds[place(kind)] != kind || last == null || last.getInstrumentId() != instrumentId) {
            return false;
        }
        if ((byte) kind == Action.CANCEL.value()) {
            return true;
        }
        long price = buffer.getLong(at + OrdersDecoder.priceEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        long quantity = buffer.getLong(at + OrdersDecoder.quantityEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        return (byte) (kind >>> ORD_TYPE_SHIFT) == OrdType.LIMIT.value()
                && last.getPriceMin() <= price
                && price <= last.getPriceMax()
                && 1 <= quantity
                && quantity <= last.getQuantityMax();
    }

    private void remember(DirectBuffer buffer, int at) {
        long kind = kind(buffer, at);
        soundKinds[place(kind)] = kind;
        int instrumentId = buffer.getInt(at + OrdersDecoder.instrumentIdEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
        if (last == null || last.getInstrumentId() != instrumentId) {
            last = terms.instrument(instrumentId);
        }
    }

    /** Returns action, side, ordType, timeInForce, flags and reserved in one word. */
    private static long kind(DirectBuffer buffer, int at) {
        return buffer.getLong(at + OrdersDecoder.actionEncodingOffset(), ByteOrder.LITTLE_ENDIAN);
    }

    private static int place(long kind) {
        return (int) (kind * KIND_FACTOR >>> KIND_SHIFT);
    }

    private static void checkFields(IngressSlot slot, OrdersDecoder order, int i) {
        if (RequestRules.isRequest(order.actionRaw())) {
            RequestRules.checkFields(slot, order, i);
            return;
        }
        boolean isCancel = order.actionRaw() == Action.CANCEL.value();
        if (!isCancel && order.actionRaw() != Action.NEW.value() && order.actionRaw() != Action.REPLACE.value()) {
            malformed(slot, i, OrdersDecoder.actionEncodingOffset(), "action " + order.actionRaw());
        } else if (!isSide(order.sideRaw()) && !(isCancel && order.sideRaw() == ABSENT)) {
            malformed(slot, i, OrdersDecoder.sideEncodingOffset(), "side " + order.sideRaw());
        } else if (!isOrdType(order.ordTypeRaw()) && !(isCancel && order.ordTypeRaw() == ABSENT)) {
            malformed(slot, i, OrdersDecoder.ordTypeEncodingOffset(), "ordType " + order.ordTypeRaw());
        } else if (!isTimeInForce(order.timeInForceRaw()) && !(isCancel && order.timeInForceRaw() == ABSENT)) {
            malformed(slot, i, OrdersDecoder.timeInForceEncodingOffset(), "timeInForce " + order.timeInForceRaw());
        } else if (order.flags() != 0) {
            malformed(slot, i, OrdersDecoder.flagsEncodingOffset(), "flags " + order.flags());
        } else if (order.reserved() != 0) {
            malformed(slot, i, OrdersDecoder.reservedEncodingOffset(), "reserved " + order.reserved());
        }
    }

    private void checkValues(IngressSlot slot, OrdersDecoder order, int i, DoorTerms.Entry broker) {
        if (RequestRules.isRequest(order.actionRaw())) {
            RequestRules.checkValues(slot, order, i, terms, broker);
            return;
        }
        Instrument instrument = terms.instrument((int) order.instrumentId());
        if (instrument == null) {
            slot.refuseAtPresent(
                    RefusalReason.UNKNOWN_INSTRUMENT, "order " + i + ": instrument " + order.instrumentId());
            return;
        }
        if (!broker.mayTradeFor((int) order.accountId())) {
            slot.refuseAtPresent(RefusalReason.INVALID_ACCOUNT, "order " + i + ": account " + order.accountId());
            return;
        }
        if (order.actionRaw() == Action.CANCEL.value()) {
            return;
        }
        if (order.quantity() < 1 || order.quantity() > instrument.getQuantityMax()) {
            slot.refuseAtPresent(
                    RefusalReason.INVALID_QUANTITY,
                    "order " + i + ": quantity " + order.quantity() + ", expected 1.." + instrument.getQuantityMax());
            return;
        }
        if (order.ordTypeRaw() == OrdType.MARKET.value()) {
            if (order.price() != 0) {
                slot.refuseAtPresent(
                        RefusalReason.INVALID_PRICE, "order " + i + ": market order with price " + order.price());
            }
        } else if (order.price() < instrument.getPriceMin() || order.price() > instrument.getPriceMax()) {
            slot.refuseAtPresent(
                    RefusalReason.INVALID_PRICE,
                    "order " + i + ": price " + order.price() + ", expected " + instrument.getPriceMin() + ".."
                            + instrument.getPriceMax());
        }
    }

    static void malformed(IngressSlot slot, int i, int fieldOffset, String what) {
        int offset = SignedBatch.ORDERS_OFFSET + i * SignedBatch.ORDER_LENGTH + fieldOffset;
        slot.refuse(RefusalReason.MALFORMED, "offset " + offset + ": order " + i + " has " + what);
    }

    static boolean isSide(byte raw) {
        return raw == Side.BUY.value() || raw == Side.SELL.value();
    }

    private static boolean isOrdType(byte raw) {
        return raw == OrdType.MARKET.value() || raw == OrdType.LIMIT.value();
    }

    private static boolean isTimeInForce(byte raw) {
        return raw == TimeInForce.DAY.value()
                || raw == TimeInForce.GOOD_TILL_CANCEL.value()
                || raw == TimeInForce.IMMEDIATE_OR_CANCEL.value()
                || raw == TimeInForce.FILL_OR_KILL.value();
    }
}
