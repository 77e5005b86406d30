package io.sealbook.matching.book;

import java.util.Arrays;

/**
 * The price levels that hold orders, in pages of 64 successive ranks: each is a queue, linked through the orders. A
 * page is an array that is allocated once and used again, so growth moves no level.
 *
 * <pre>
 *   level number      page (bits 6..30), rank within the page (bits 0..5)
 *   level (3 longs)   head slot (high) | tail slot (low);  sum of leaves;  number of orders
 *   page, beside it   home: ladder (high) | first rank >>> 6 (low);  a bit for each level that holds orders;
 *                     a bit that is set if the sum of leaves of all its levels is known;  that sum.
 *                     Dense arrays, so that they stay in the cache
 * </pre>
 */
final class LevelPages {
    static final int PAGE_BITS = 6;
    /** Page numbers count from 1; the memory of page 0 exists, so that reading ahead needs no branch. */
    static final int NO_PAGE = 0;

    private static final int PAGE_MASK = (1 << PAGE_BITS) - 1;
    /** Levels of a chunk: 128 pages, 192 KiB. */
    private static final int CHUNK_BITS = 13;

    private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;
    private static final int PAGES_PER_CHUNK = 1 << CHUNK_BITS - PAGE_BITS;
    private static final int LEVEL_LONGS = 3;
    private static final int VOLUME = 1;
    private static final int ORDER_COUNT = 2;
    private static final long LOW = 0xFFFF_FFFFL;

    private final OrderStore store;
    private long[][] chunks;
    private long[] homes;
    private long[] occupied;
    private long[] isSumKnown;
    private long[] sums;
    private int[] nextFree;
    private int firstFree;
    private int pageCount;

    /**
     * @param store holds the orders, with their links
     * @param capacity pages before any bookkeeping grows
     */
    LevelPages(OrderStore store, int capacity) {
        this.store = store;
        this.chunks = new long[capacity / PAGES_PER_CHUNK + 1][];
        this.chunks[0] = new long[LEVEL_LONGS << CHUNK_BITS];
        this.homes = new long[capacity];
        this.occupied = new long[capacity];
        this.isSumKnown = new long[(capacity >>> 6) + 1];
        this.sums = new long[capacity];
        this.nextFree = new int[capacity];
    }

    /** Returns the number of the level at a rank of a page's ladder. */
    static int level(int page, int rank) {
        return page << PAGE_BITS | rank & PAGE_MASK;
    }

    /**
     * Takes a page without orders.
     *
     * @param ladder that it belongs to
     * @param pageRank its first rank divided by 64
     */
    int takePage(int ladder, int pageRank) {
        int page = firstFree;
        if (page != NO_PAGE) {
            firstFree = nextFree[page];
        } else {
            page = ++pageCount;
            if (page == homes.length) {
                chunks = Arrays.copyOf(chunks, 2 * page / PAGES_PER_CHUNK + 1);
                homes = Arrays.copyOf(homes, 2 * page);
                occupied = Arrays.copyOf(occupied, 2 * page);
                isSumKnown = Arrays.copyOf(isSumKnown, (2 * page >>> 6) + 1);
                sums = Arrays.copyOf(sums, 2 * page);
                nextFree = Arrays.copyOf(nextFree, 2 * page);
            }
            if (chunks[page / PAGES_PER_CHUNK] == null) {
                chunks[page / PAGES_PER_CHUNK] = new long[LEVEL_LONGS << CHUNK_BITS];
            }
        }
        homes[page] = (long) ladder << 32 | pageRank;
        forgetSum(page);
        return page;
    }

    /** Releases a page without orders. */
    void release(int page) {
        nextFree[page] = firstFree;
        firstFree = page;
    }

    /** Returns the ladder of a level. */
    int ladder(int level) {
        return (int) (homes[level >>> PAGE_BITS] >>> 32);
    }

    /** Returns the rank of a level in its ladder. */
    int rank(int level) {
        return (int) homes[level >>> PAGE_BITS] << PAGE_BITS | level & PAGE_MASK;
    }

    /** Returns which levels of a page hold orders; bit {@code rank & 63} is the level's. */
    long occupied(int page) {
        return occupied[page];
    }

    /** Returns whether the sum of a page is known: {@link #sum} was called, and no order of it changed since. */
    boolean isSumKnown(int page) {
        return (isSumKnown[page >>> 6] & 1L << page) != 0;
    }

    /** Has the sum of a page, whose orders change, found anew. */
    void forgetSum(int page) {
        isSumKnown[page >>> 6] &= ~(1L << page);
    }

    /** Returns the sum of leaves of a page, which is found anew if it is not known. */
    long sum(int page) {
        if (!isSumKnown(page)) {
            long sum = 0;
            for (long left = occupied[page]; left != 0; left &= left - 1) {
                sum += volume(level(page, Long.numberOfTrailingZeros(left)));
            }
            sums[page] = sum;
            isSumKnown[page >>> 6] |= 1L << page;
        }
        return sums[page];
    }

    private long[] chunk(int level) {
        return chunks[level >>> CHUNK_BITS];
    }

    private static int at(int level) {
        return (level & CHUNK_MASK) * LEVEL_LONGS;
    }

    /** Returns the first order of a level, or {@link OrderStore#NONE}. */
    int head(int level) {
        return (int) (chunk(level)[at(level)] >>> 32);
    }

    /** Returns the last order of a level, or {@link OrderStore#NONE}. */
    int tail(int level) {
        return (int) chunk(level)[at(level)];
    }

    /** Returns the sum of leaves of a level. */
    long volume(int level) {
        return chunk(level)[at(level) + VOLUME];
    }

    /** Returns how many orders a level holds. */
    int orderCount(int level) {
        return (int) chunk(level)[at(level) + ORDER_COUNT];
    }

    /** Takes fills or a reduction out of a level's volume. */
    void subtract(int level, long quantity) {
        chunk(level)[at(level) + VOLUME] -= quantity;
    }

    /** Reads a whole level and where it belongs; returns a number without meaning. */
    long touch(int level) {
        long[] w = chunk(level);
        return w[at(level)] + w[at(level) + ORDER_COUNT] + homes[level >>> PAGE_BITS];
    }

    /**
     * Puts an order after the others of its level.
     *
     * @param level of the order
     * @param slot of the order, unlinked
     * @param leaves its share of the level's volume
     * @return whether the level held no order before
     */
    boolean append(int level, int slot, long leaves) {
        long[] w = chunk(level);
        int at = at(level);
        long ends = w[at];
        w[at + VOLUME] += leaves;
        w[at + ORDER_COUNT]++;
        if (ends != 0) {
            int tail = (int) ends;
            store.next(tail, slot);
            store.previous(slot, tail);
            w[at] = ends & ~LOW | slot;
            return false;
        }
        w[at] = (long) slot << 32 | slot;
        occupied[level >>> PAGE_BITS] |= 1L << level;
        return true;
    }

    /**
     * Takes an order out of its level.
     *
     * @param level of the order
     * @param slot of the order
     * @param leaves its share of the level's volume
     * @return whether the level holds no order now
     */
    boolean remove(int level, int slot, long leaves) {
        long[] w = chunk(level);
        int at = at(level);
        int previous = store.previous(slot);
        int next = store.next(slot);
        long ends = w[at];
        if (previous == OrderStore.NONE) {
            ends = ends & LOW | (long) next << 32;
        } else {
            store.next(previous, next);
        }
        if (next == OrderStore.NONE) {
            ends = ends & ~LOW | previous;
        } else {
            store.previous(next, previous);
        }
        w[at] = ends;
        w[at + VOLUME] -= leaves;
        w[at + ORDER_COUNT]--;
        return isVacated(level, ends);
    }

    /**
     * Takes the first order, which is used up, out of its level; its quantity was subtracted before.
     *
     * @param level of the order
     * @param slot of the order
     * @return whether the level holds no order now
     */
    boolean removeHead(int level, int slot) {
        long[] w = chunk(level);
        int at = at(level);
        int next = store.next(slot);
        long ends = 0;
        if (next != OrderStore.NONE) {
            ends = w[at] & LOW | (long) next << 32;
            store.previous(next, OrderStore.NONE);
        }
        w[at] = ends;
        w[at + ORDER_COUNT]--;
        return isVacated(level, ends);
    }

    private boolean isVacated(int level, long ends) {
        if (ends == 0) {
            occupied[level >>> PAGE_BITS] &= ~(1L << level);
        }
        return ends == 0;
    }
}
