package io.sealbook.matching;

import io.sealbook.vocabulary.result.ReportRun;

/**
 * The heap that a core takes at most, whatever its brokers send: what the README of this module says of an order, and a
 * page of levels for every order, as far as there are pages. A broker that puts each order on a page of its own reaches
 * it. Each broker that has had a result takes a run besides, a removed one too.
 */
public final class MatchingMemory {
    /** The order, and its places in an index whose segments were just split. */
    private static final long ORDER_BYTES = 64 + 16;

    private static final int PRICES_PER_PAGE = 64;
    /** 64 levels, and what lies beside them: 28 bytes and a bit, in arrays that double. */
    private static final long PAGE_BYTES = PRICES_PER_PAGE * 24 + 2 * 29;
    /**
     * Of a page that may exist: its entry, and its part of each layer's bits and sums. Twice, because the next ones are
     * filled from the present ones when a price limit changes.
     */
    private static final long ENTRY_BYTES = 2 * 5;
    /** The number of the last batch; time and deadline of {@link CancelAfter}. */
    private static final long SESSION_BYTES = 2 * Long.BYTES + Integer.BYTES;
    /** Of a broker that has a result in a block: its run; its places in arrays, which are copied when one is added. */
    private static final long BROKER_BYTES = ReportRun.LENGTH_MAX + 1_536;
    /** First chunks and segments of each part; buffers. */
    private static final long FIXED_BYTES = 4 << 20;

    private MatchingMemory() {}

    /** Returns the bytes of a core with as many live orders as the market admits. */
    public static long bytesMax(MarketConfig config) {
        long pages = config.instruments().stream()
                .mapToLong(instrument -> 2L * Math.ceilDiv(instrument.prices().count(), PRICES_PER_PAGE))
                .sum();
        long orders = config.liveOrderCountMax();
        long sessions = (long) config.brokers().size() * config.sessionsPerBroker();
        return orders * ORDER_BYTES
                + Math.min(orders, pages) * PAGE_BYTES
                + pages * ENTRY_BYTES
                + config.brokers().size() * BROKER_BYTES
                + sessions * SESSION_BYTES
                + FIXED_BYTES;
    }
}
