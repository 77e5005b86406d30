package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * Action, side, ordType and timeInForce of an entry in one int, low byte first, as they are in an OrderBatch and in an
 * ExecutionReport; a byte is 0 where a field is absent.
 */
final class Kind {
    static final byte ABSENT = 0;
    static final byte NEW = Action.NEW.value();
    static final byte CANCEL = Action.CANCEL.value();
    static final byte REPLACE = Action.REPLACE.value();
    static final byte MASS_CANCEL = Action.MASS_CANCEL.value();
    static final byte CANCEL_AFTER = Action.CANCEL_AFTER.value();
    static final byte BUY = Side.BUY.value();
    static final byte SELL = Side.SELL.value();
    static final byte MARKET = OrdType.MARKET.value();
    static final byte LIMIT = OrdType.LIMIT.value();
    static final byte DAY = TimeInForce.DAY.value();
    static final byte GOOD_TILL_CANCEL = TimeInForce.GOOD_TILL_CANCEL.value();
    static final byte IMMEDIATE_OR_CANCEL = TimeInForce.IMMEDIATE_OR_CANCEL.value();
    static final byte FILL_OR_KILL = TimeInForce.FILL_OR_KILL.value();

    private static final int SIDE_SHIFT = 8;
    private static final int ORD_TYPE_SHIFT = 16;
    private static final int TIME_IN_FORCE_SHIFT = 24;
    private static final int BYTE = 0xFF;

    private static final int IS_ACTION = 1;
    private static final int IS_SIDE = 2;
    private static final int IS_ORD_TYPE = 4;
    private static final int IS_TIME_IN_FORCE = 8;
    /** By byte, which fields it means something in. */
    private static final byte[] MEANINGS = new byte[1 << Byte.SIZE];

    static {
        mean(IS_ACTION, NEW, CANCEL, REPLACE, MASS_CANCEL, CANCEL_AFTER);
        mean(IS_SIDE, BUY, SELL, ABSENT);
        mean(IS_ORD_TYPE, MARKET, LIMIT, ABSENT);
        mean(IS_TIME_IN_FORCE, DAY, GOOD_TILL_CANCEL, IMMEDIATE_OR_CANCEL, FILL_OR_KILL, ABSENT);
    }

    private Kind() {}

    private static void mean(int meaning, byte... values) {
        for (byte value : values) {
            MEANINGS[value] |= (byte) meaning;
        }
    }

    static int of(byte action, byte side, byte ordType, byte timeInForce) {
        return action & BYTE
                | (side & BYTE) << SIDE_SHIFT
                | (ordType & BYTE) << ORD_TYPE_SHIFT
                | timeInForce << TIME_IN_FORCE_SHIFT;
    }

    static byte action(int kind) {
        return (byte) kind;
    }

    static byte side(int kind) {
        return (byte) (kind >>> SIDE_SHIFT);
    }

    static byte ordType(int kind) {
        return (byte) (kind >>> ORD_TYPE_SHIFT);
    }

    static byte timeInForce(int kind) {
        return (byte) (kind >>> TIME_IN_FORCE_SHIFT);
    }

    static int withAction(int kind, byte action) {
        return kind & ~BYTE | action & BYTE;
    }

    /** Returns whether the action is one and every other byte means something or is absent. */
    static boolean isKnown(int kind) {
        return (meanings(kind) & IS_ACTION) != 0
                && (meanings(kind >>> SIDE_SHIFT) & IS_SIDE) != 0
                && (meanings(kind >>> ORD_TYPE_SHIFT) & IS_ORD_TYPE) != 0
                && (meanings(kind >>> TIME_IN_FORCE_SHIFT) & IS_TIME_IN_FORCE) != 0;
    }

    /** Returns the kind with every byte that means nothing taken as absent. */
    static int knownPart(int kind) {
        return of(
                part(action(kind), IS_ACTION),
                part(side(kind), IS_SIDE),
                part(ordType(kind), IS_ORD_TYPE),
                part(timeInForce(kind), IS_TIME_IN_FORCE));
    }

    private static byte part(byte value, int meaning) {
        return (meanings(value) & meaning) != 0 ? value : ABSENT;
    }

    private static int meanings(int value) {
        return MEANINGS[value & BYTE];
    }

    /** Returns whether an action reduces what a broker has in the market: cancel, mass cancel, cancel-after. */
    static boolean isCancel(byte action) {
        return action == CANCEL || action == MASS_CANCEL || action == CANCEL_AFTER;
    }

    /** Returns whether side, ordType and timeInForce are all there. */
    static boolean isComplete(int kind) {
        return side(kind) != ABSENT && ordType(kind) != ABSENT && timeInForce(kind) != ABSENT;
    }

    /** Returns whether the unfilled part of such an order rests in the book. */
    static boolean mayRest(int kind) {
        byte timeInForce = timeInForce(kind);
        return ordType(kind) == LIMIT && (timeInForce == DAY || timeInForce == GOOD_TILL_CANCEL);
    }
}
