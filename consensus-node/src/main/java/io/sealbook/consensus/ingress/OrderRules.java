package io.sealbook.consensus.ingress;

import io.sealbook.protocol.SignedBatch;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.RefusalReason;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * What every entry of a batch must fulfil before it may be ordered. One bad entry refuses the whole batch: the signature covers them
 * together. The engine checks again what depends on its books.
 */
final class OrderRules {
    private static final byte ABSENT = 0;

    private final Int2ObjectHashMap<Instrument> instruments = new Int2ObjectHashMap<>();

    OrderRules(Genesis genesis) {
        genesis.getInstrumentsList().forEach(instrument -> instruments.put(instrument.getInstrumentId(), instrument));
    }

    /** Refuses the slot for the first entry that breaks a rule. */
    void check(IngressSlot slot, OrderBatchDecoder batch, BrokerRegistry.Entry broker) {
        OrdersDecoder orders = batch.orders();
        for (int i = 0; orders.hasNext(); i++) {
            orders.next();
            checkFields(slot, orders, i);
            if (slot.refusal == null) {
                checkValues(slot, orders, i, broker);
            }
            if (slot.refusal != null) {
                return;
            }
        }
    }

    private static void checkFields(IngressSlot slot, OrdersDecoder order, int i) {
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

    private void checkValues(IngressSlot slot, OrdersDecoder order, int i, BrokerRegistry.Entry broker) {
        Instrument instrument = instruments.get((int) order.instrumentId());
        if (instrument == null) {
            slot.refuse(RefusalReason.UNKNOWN_INSTRUMENT, "order " + i + ": instrument " + order.instrumentId());
            return;
        }
        if (!broker.mayTradeFor((int) order.accountId())) {
            slot.refuse(RefusalReason.INVALID_ACCOUNT, "order " + i + ": account " + order.accountId());
            return;
        }
        if (order.actionRaw() == Action.CANCEL.value()) {
            return;
        }
        if (order.quantity() < 1 || order.quantity() > instrument.getQuantityMax()) {
            slot.refuse(
                    RefusalReason.INVALID_QUANTITY,
                    "order " + i + ": quantity " + order.quantity() + ", expected 1.." + instrument.getQuantityMax());
            return;
        }
        if (order.ordTypeRaw() == OrdType.MARKET.value()) {
            if (order.price() != 0) {
                slot.refuse(RefusalReason.INVALID_PRICE, "order " + i + ": market order with price " + order.price());
            }
        } else if (order.price() < instrument.getPriceMin() || order.price() > instrument.getPriceMax()) {
            slot.refuse(
                    RefusalReason.INVALID_PRICE,
                    "order " + i + ": price " + order.price() + ", expected " + instrument.getPriceMin() + ".."
                            + instrument.getPriceMax());
        }
    }

    private static void malformed(IngressSlot slot, int i, int fieldOffset, String what) {
        int offset = SignedBatch.ORDERS_OFFSET + i * SignedBatch.ORDER_LENGTH + fieldOffset;
        slot.refuse(RefusalReason.MALFORMED, "offset " + offset + ": order " + i + " has " + what);
    }

    private static boolean isSide(byte raw) {
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
