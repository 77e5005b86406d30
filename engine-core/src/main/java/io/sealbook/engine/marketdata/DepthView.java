package io.sealbook.engine.marketdata;

/**
 * The best levels of one book after a block.
 *
 * @param blockSequence last block that changed the book or the instrument's status; 0 if none has
 * @param timeNs the block's time, ns since the epoch; 0 if none has
 * @param isHalted whether the instrument takes only cancels in the next block
 */
public record DepthView(int instrumentId, long blockSequence, long timeNs, Levels bids, Levels asks, boolean isHalted) {
    /**
     * The levels of one side, best first; arrays of one length. Immutable by agreement: the arrays are never changed.
     *
     * @param prices in ticks
     * @param quantities sum of what rests at each price
     * @param orderCounts how many orders rest at each price
     */
    public record Levels(long[] prices, long[] quantities, int[] orderCounts) {
        static final Levels NONE = new Levels(new long[0], new long[0], new int[0]);

        public int count() {
            return prices.length;
        }
    }

    static DepthView empty(int instrumentId) {
        return new DepthView(instrumentId, 0, 0, Levels.NONE, Levels.NONE, false);
    }
}
