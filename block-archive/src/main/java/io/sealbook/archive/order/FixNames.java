package io.sealbook.archive.order;

import java.util.List;

/**
 * Names of the codes in an order or a report, as the schema has them. A code without a name is shown as a number, and
 * 0, which a cancel may hold, as {@code NONE}.
 */
public final class FixNames {
    private static final List<String> REJECT_REASONS = List.of(
            "NONE",
            "UNKNOWN_INSTRUMENT",
            "UNKNOWN_ORDER",
            "DUPLICATE_CL_ORD_ID",
            "INVALID_QUANTITY",
            "INVALID_PRICE",
            "INVALID_FIELD",
            "TOO_LATE",
            "NOT_OWNER",
            "BATCH_EXPIRED",
            "BATCH_DUPLICATE",
            "CAPACITY",
            "MARKET_CLOSED",
            "UNKNOWN_ACCOUNT",
            "LIVE_ORDER_QUOTA",
            "KEY_NOT_IN_EFFECT",
            "BROKER_SUSPENDED",
            "BROKER_REMOVED",
            "INSTRUMENT_HALTED",
            "OUTSIDE_LIMITS",
            "TIME_TO_LIVE",
            "MASS_CANCEL",
            "CANCEL_AFTER",
            "MASS_CANCEL_LIMIT",
            "RATE_QUOTA");

    private FixNames() {}

    /** Returns the name of a FIX MsgType(35). */
    public static String action(byte code) {
        return switch (code) {
            case 'D' -> "NEW";
            case 'F' -> "CANCEL";
            case 'G' -> "REPLACE";
            case 'q' -> "MASS_CANCEL";
            case 'A' -> "CANCEL_AFTER";
            default -> unnamed(code);
        };
    }

    /** Returns the name of a FIX Side(54). */
    public static String side(byte code) {
        return switch (code) {
            case '1' -> "BUY";
            case '2' -> "SELL";
            default -> unnamed(code);
        };
    }

    /** Returns the name of a FIX OrdType(40). */
    public static String ordType(byte code) {
        return switch (code) {
            case '1' -> "MARKET";
            case '2' -> "LIMIT";
            default -> unnamed(code);
        };
    }

    /** Returns the name of a FIX TimeInForce(59). */
    public static String timeInForce(byte code) {
        return switch (code) {
            case '0' -> "DAY";
            case '1' -> "GOOD_TILL_CANCEL";
            case '3' -> "IMMEDIATE_OR_CANCEL";
            case '4' -> "FILL_OR_KILL";
            default -> unnamed(code);
        };
    }

    /** Returns the name of a FIX ExecType(150). */
    public static String execType(byte code) {
        return switch (code) {
            case '0' -> "NEW";
            case '4' -> "CANCELED";
            case '5' -> "REPLACED";
            case '8' -> "REJECTED";
            case '9' -> "CANCEL_REJECT";
            case 'C' -> "EXPIRED";
            case 'F' -> "TRADE";
            case 'r' -> "MASS_CANCEL_REPORT";
            default -> unnamed(code);
        };
    }

    /** Returns the name of a FIX OrdStatus(39). */
    public static String ordStatus(byte code) {
        return switch (code) {
            case '0' -> "NEW";
            case '1' -> "PARTIALLY_FILLED";
            case '2' -> "FILLED";
            case '4' -> "CANCELED";
            case '8' -> "REJECTED";
            case 'C' -> "EXPIRED";
            default -> unnamed(code);
        };
    }

    /** Returns the name of the schema's RejectReason; {@code NONE} is 0. */
    public static String rejectReason(int code) {
        return code < REJECT_REASONS.size() ? REJECT_REASONS.get(code) : Integer.toString(code);
    }

    private static String unnamed(byte code) {
        return code == 0 ? "NONE" : Integer.toString(code & 0xFF);
    }
}
