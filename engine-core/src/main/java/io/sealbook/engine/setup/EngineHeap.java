package io.sealbook.engine.setup;

import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingMemory;
import io.sealbook.vocabulary.OperatingFailureException;

/** The rule that an engine's heap holds the largest books that the agreed configuration admits. */
final class EngineHeap {
    /** Of the heap, in percent; the rest is for everything else that an engine does. */
    private static final int BOOKS_SHARE = 75;

    /** Of the heap, in percent: books and the ledgers of brokers that ask. */
    private static final int FILLED_SHARE = 85;

    private static final long MB = 1_000_000;

    private EngineHeap() {}

    /**
     * Checks the heap before anything is opened: an engine that ends in the middle of a block ends there at every
     * restart.
     *
     * @param config of the market
     * @param heapBytes the largest heap that the process may have
     * @throws OperatingFailureException if the books may become larger than their share of it
     */
    static void check(MarketConfig config, long heapBytes) {
        String shortage = shortage(config, heapBytes);
        if (!shortage.isEmpty()) {
            throw new OperatingFailureException(shortage);
        }
    }

    /** Returns why the heap may be too small; empty if it is not. */
    static String shortage(MarketConfig config, long heapBytes) {
        long books = MatchingMemory.bytesMax(config);
        return books <= heapBytes / 100 * BOOKS_SHARE
                ? ""
                : "genesis: " + config.liveOrderCountMax()
                        + " live orders (liveOrderCountMax) may take " + books / MB + " MB of heap, more than "
                        + BOOKS_SHARE + " % of its " + heapBytes / MB + " MB: start with a larger one (-Xmx)";
    }

    /** Returns the heap that the ledgers of brokers may take: what the books leave, at most a third of all. */
    static long ledgers(MarketConfig config, long heapBytes) {
        long left = heapBytes / 100 * FILLED_SHARE - MatchingMemory.bytesMax(config);
        return Math.clamp(left, 0, heapBytes / 3);
    }
}
