package io.sealbook.protocol.report;

/**
 * What has been bought and sold of one instrument, as fills add up. Immutable.
 *
 * @param boughtQuantity lots
 * @param boughtValue sum of price times quantity, in ticks
 * @param soldQuantity lots
 * @param soldValue sum of price times quantity, in ticks
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
     * @param price LastPx(31), ticks
     * @param quantity LastQty(32), lots
     * @throws IllegalArgumentException if the side is another one
     * @throws ArithmeticException if a sum exceeds 63 bits
     */
    public Position plus(byte side, long price, long quantity) {
        long value = Math.multiplyExact(price, quantity);
        return switch (side) {
            case BUY ->
                new Position(
                        Math.addExact(boughtQuantity, quantity),
                        Math.addExact(boughtValue, value),
                        soldQuantity,
                        soldValue);
            case SELL ->
                new Position(
                        boughtQuantity,
                        boughtValue,
                        Math.addExact(soldQuantity, quantity),
                        Math.addExact(soldValue, value));
            default -> throw new IllegalArgumentException("a fill of side " + side);
        };
    }

    /** Returns bought less sold lots. */
    public long netQuantity() {
        return boughtQuantity - soldQuantity;
    }
}
