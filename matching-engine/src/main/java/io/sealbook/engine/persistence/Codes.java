package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * FIX codes as the one-character columns hold them: an absent one as a blank, because PostgreSQL has no NUL in text.
 */
final class Codes {
    private static final byte NONE = 0;
    private static final char ABSENT = ' ';

    private Codes() {}

    static String of(byte value) {
        return String.valueOf(value == NONE ? ABSENT : (char) value);
    }

    /** Rows of earlier builds have a NUL if the code is absent. */
    private static byte code(String text) {
        return text.isBlank() ? NONE : (byte) text.charAt(0);
    }

    static Side side(String code) {
        return Side.get(code(code));
    }

    static OrdType ordType(String code) {
        return OrdType.get(code(code));
    }

    static TimeInForce timeInForce(String code) {
        return TimeInForce.get(code(code));
    }

    static OrdStatus ordStatus(String code) {
        return OrdStatus.get(code(code));
    }

    static Action action(String code) {
        return Action.get(code(code));
    }

    static AggressorSide aggressorSide(String code) {
        return AggressorSide.get(code(code));
    }
}
