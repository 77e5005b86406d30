package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchDecoder.OrdersDecoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * One decoded entry of a batch; an enumeration byte that means nothing reads as NULL_VAL and clears {@link #isKnown}. Reused.
 */
final class Entry {
    long clOrdId;
    long origClOrdId;
    long price;
    long quantity;
    int accountId;
    int instrumentId;
    Action action = Action.NULL_VAL;
    Side side = Side.NULL_VAL;
    OrdType ordType = OrdType.NULL_VAL;
    TimeInForce timeInForce = TimeInForce.NULL_VAL;
    boolean isKnown;

    /** Reads an entry; {@link #isKnown} tells whether every byte of an enumeration, flag or reserved field means something. */
    void read(OrdersDecoder orders) {
        clOrdId = orders.clOrdId();
        origClOrdId = orders.origClOrdId();
        price = orders.price();
        quantity = orders.quantity();
        accountId = (int) orders.accountId();
        instrumentId = (int) orders.instrumentId();
        isKnown = orders.flags() == 0 && orders.reserved() == 0;
        action = action(orders.actionRaw());
        side = side(orders.sideRaw());
        ordType = ordType(orders.ordTypeRaw());
        timeInForce = timeInForce(orders.timeInForceRaw());
    }

    private Action action(byte value) {
        switch (value) {
            case 'D':
                return Action.NEW;
            case 'F':
                return Action.CANCEL;
            case 'G':
                return Action.REPLACE;
            default:
                isKnown = false;
                return Action.NULL_VAL;
        }
    }

    private Side side(byte value) {
        switch (value) {
            case '1':
                return Side.BUY;
            case '2':
                return Side.SELL;
            default:
                isKnown &= value == 0;
                return Side.NULL_VAL;
        }
    }

    private OrdType ordType(byte value) {
        switch (value) {
            case '1':
                return OrdType.MARKET;
            case '2':
                return OrdType.LIMIT;
            default:
                isKnown &= value == 0;
                return OrdType.NULL_VAL;
        }
    }

    private TimeInForce timeInForce(byte value) {
        switch (value) {
            case '0':
                return TimeInForce.DAY;
            case '1':
                return TimeInForce.GOOD_TILL_CANCEL;
            case '3':
                return TimeInForce.IMMEDIATE_OR_CANCEL;
            case '4':
                return TimeInForce.FILL_OR_KILL;
            default:
                isKnown &= value == 0;
                return TimeInForce.NULL_VAL;
        }
    }
}
