package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/** FIX codes as the one-character columns hold them. */
final class Codes {
    private Codes() {}

    static String of(byte value) {
        return String.valueOf((char) value);
    }

    static Side side(String code) {
        return Side.get((byte) code.charAt(0));
    }

    static OrdType ordType(String code) {
        return OrdType.get((byte) code.charAt(0));
    }

    static TimeInForce timeInForce(String code) {
        return TimeInForce.get((byte) code.charAt(0));
    }

    static OrdStatus ordStatus(String code) {
        return OrdStatus.get((byte) code.charAt(0));
    }

    static Action action(String code) {
        return Action.get((byte) code.charAt(0));
    }

    static AggressorSide aggressorSide(String code) {
        return AggressorSide.get((byte) code.charAt(0));
    }
}
