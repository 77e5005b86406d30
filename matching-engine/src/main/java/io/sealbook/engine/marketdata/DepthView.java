package io.sealbook.engine.marketdata;

/**
 * The best levels of one book behind a block. Immutable by agreement: nobody changes the arrays.
 *
 * @param timeNs the block's time, ns since the epoch
 * @param bidPrices in ticks, best first; the other arrays likewise
 */
public record DepthView(
        int instrumentId,
        long blockSequence,
        long timeNs,
        long[] bidPrices,
        long[] bidQuantities,
        long[] askPrices,
        long[] askQuantities) {
    private static final long[] NO_LEVEL = {};

    static DepthView empty(int instrumentId) {
        return new DepthView(instrumentId, 0, 0, NO_LEVEL, NO_LEVEL, NO_LEVEL, NO_LEVEL);
    }
}
