package io.sealbook.client;

import java.util.List;

/**
 * The best levels of a book, as f + 1 engines report them of the same block.
 *
 * @param instrumentId of the instrument
 * @param blockSequence last block that changed the book; 0 if none has
 * @param blockTimeNs its time, ns since 1970
 * @param bids best price first; empty if nobody buys
 * @param asks best price first; empty if nobody sells
 * @param isHalted whether the instrument takes only cancels
 */
public record BookDepth(
        int instrumentId, long blockSequence, long blockTimeNs, List<Level> bids, List<Level> asks, boolean isHalted) {
    /**
     * What rests at a price.
     *
     * @param price in ticks
     * @param quantity in lots, of all orders
     * @param orderCount number of orders
     */
    public record Level(long price, long quantity, int orderCount) {}

    public BookDepth {
        bids = List.copyOf(bids);
        asks = List.copyOf(asks);
    }
}
