package io.sealbook.archive.order;

/**
 * Names of the codes in an order, as the schema has them. A code without a name is shown as a number, and 0, which a
 * cancel may hold, as {@code NONE}.
 */
public final class FixNames {
    private FixNames() {}

    /** Returns the name of a FIX MsgType(35). */
    public static String action(byte code) {
        return switch (code) {
            case 'D' -> "NEW";
            case 'F' -> "CANCEL";
            case 'G' -> "REPLACE";
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

    private static String unnamed(byte code) {
        return code == 0 ? "NONE" : Integer.toString(code & 0xFF);
    }
}
