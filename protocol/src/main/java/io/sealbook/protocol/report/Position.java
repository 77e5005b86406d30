package io.sealbook.protocol.report;

/**
 * What has been bought and sold of one instrument, as fills add up. A sum that exceeds 63 bits stays at
 * {@link Long#MAX_VALUE}, which then means that much or more: a broker that trades with itself reaches it, and each
 * reader of the same fills has the same sums. Immutable.
 *
 * @param boughtQuantity lots, at least 0
 * @param boughtValue sum of price times quantity, in ticks, at least 0
 * @param soldQuantity lots, at least 0
 * @param soldValue sum of price times quantity, in ticks, at least 0
 */
public record Position(long boughtQuantity, long boughtValue, long soldQuantity, long soldValue) {
    /** Before the first fill. */
    public static final Position NONE = new Position(0, 0, 0, 0);

    private static final byte BUY = '1';
    private static final byte SELL = '2';

    /**
     * Returns the position after a fill.
     *
     * @param side FIX Side(54) of the order that was filled
     * @param price LastPx(31), ticks, at least 0
     * @param quantity LastQty(32), lots, at least 0
     * @throws IllegalArgumentException if the side is another one
     * @throws ArithmeticException if price times quantity exceeds 63 bits, which no genesis file admits
     */
    public Position plus(byte side, long price, long quantity) {
        long value = Math.multiplyExact(price, quantity);
        return switch (side) {
            case BUY -> new Position(sum(boughtQuantity, quantity), sum(boughtValue, value), soldQuantity, soldValue);
            case SELL -> new Position(boughtQuantity, boughtValue, sum(soldQuantity, quantity), sum(soldValue, value));
            default -> throw new IllegalArgumentException("a fill of side " + side);
        };
    }

    /**
     * Returns the sum of two numbers, at most {@link Long#MAX_VALUE}. The sum of many is the same in whichever order
     * and groups they are added.
     *
     * @param a at least 0
     * @param b at least 0
     */
    public static long sum(long a, long b) {
        return a + Math.min(b, Long.MAX_VALUE - a);
    }

    /** Returns bought less sold lots, of use while neither is {@link Long#MAX_VALUE}. */
    public long netQuantity() {
        return boughtQuantity - soldQuantity;
    }
}
