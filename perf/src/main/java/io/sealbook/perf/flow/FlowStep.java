package io.sealbook.perf.flow;

import java.util.List;

/**
 * Entries that belong together, and what must hold by their source after the last of them was executed.
 *
 * @param commands in order; empty where the source repeats a state without an event of the visible book
 * @param trades every trade that the commands must make, in order; null if the source has none
 * @param levels the book after the commands; null if the source has none
 */
public record FlowStep(List<FlowCommand> commands, List<ExpectedTrade> trades, ExpectedLevels levels) {
    /**
     * A trade as the source recorded it.
     *
     * @param buyClOrdId and {@code sellClOrdId} name the two orders
     */
    public record ExpectedTrade(long price, long quantity, long buyClOrdId, long sellClOrdId) {}

    /**
     * The best levels of both sides, best first, as price and quantity in turn.
     *
     * @param depth levels a side that were recorded; fewer in an array mean that the side holds no more
     */
    public record ExpectedLevels(int depth, long[] bids, long[] asks) {}
}
