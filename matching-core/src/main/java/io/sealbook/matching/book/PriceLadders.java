package io.sealbook.matching.book;

import java.util.Arrays;

/**
 * The price levels of all books. A ladder is one side of one book (number {@code 2 * book + side}); its levels are
 * addressed by rank and lie in pages of 64, which exist only while one of their levels holds an order. Which levels are
 * occupied is kept in three layers of bits: one word per page, one bit per page, one bit per word of those, so the next
 * occupied rank is a few word scans away however far.
 *
 * <pre>
 *   level (2 longs)   head slot (high) | tail slot (low);  sum of leaves
 *   beside it (int)   number of orders, in a separate array: sixteen levels of it share a cache line
 *   ladder (4 ints)   best rank or EMPTY;  first page entry;  first word of layer 1;  first word of layer 2
 * </pre>
 */
final class PriceLadders {
    /** The best rank of a ladder without orders; greater than every rank. */
    static final int EMPTY = Integer.MAX_VALUE;

    /** Page entries of all ladders together: 4 bytes each. */
    private static final long PAGE_ENTRY_COUNT_MAX = 1 << 28;

    private static final int PAGE_LEVELS = 64;
    private static final int PAGE_LONGS = 2 * PAGE_LEVELS;
    private static final int LADDER_INTS = 4;
    private static final int PAGES = 1;
    private static final int LAYER_1 = 2;
    private static final int LAYER_2 = 3;
    private static final long LOW = 0xFFFF_FFFFL;

    private final OrderStore store;
    private final int[] ladders;
    /** Page numbers count from 1; 0 means the page does not exist. */
    private final int[] pageOf;

    private final long[] layer1;
    private final long[] layer2;
    private long[] occupied;
    private long[] levels;
    private int[] orderCounts;
    private int[] nextFreePage;
    private int firstFreePage;
    private int pageCount;

    /** Makes empty ladders; {@code priceCounts} holds the number of admitted prices of each book. */
    PriceLadders(OrderStore store, int[] priceCounts) {
        this.store = store;
        this.ladders = new int[(2 * priceCounts.length + 1) * LADDER_INTS];
        long pages = 0;
        int words1 = 0;
        int words2 = 0;
        for (int ladder = 0; ladder < 2 * priceCounts.length; ladder++) {
            int at = ladder * LADDER_INTS;
            ladders[at] = EMPTY;
            ladders[at + PAGES] = (int) pages;
            ladders[at + LAYER_1] = words1;
            ladders[at + LAYER_2] = words2;
            int count = words(priceCounts[ladder >>> 1]);
            pages += count;
            words1 += words(count);
            words2 += words(words(count));
            if (pages > PAGE_ENTRY_COUNT_MAX) {
                throw new IllegalArgumentException("the instruments admit too many prices together: more than "
                        + PAGE_ENTRY_COUNT_MAX / 2 * PAGE_LEVELS);
            }
        }
        int end = 2 * priceCounts.length * LADDER_INTS;
        ladders[end + LAYER_2] = words2;
        this.pageOf = new int[(int) pages];
        this.layer1 = new long[words1];
        this.layer2 = new long[words2];
        int capacity = Math.max(16, 2 * priceCounts.length);
        this.occupied = new long[capacity];
        this.levels = new long[capacity * PAGE_LONGS];
        this.orderCounts = new int[capacity * PAGE_LEVELS];
        this.nextFreePage = new int[capacity];
    }

    private static int words(int bits) {
        return bits + 63 >>> 6;
    }

    /** Returns the best occupied rank, or {@link #EMPTY}. */
    int best(int ladder) {
        return ladders[ladder * LADDER_INTS];
    }

    /** Returns where the occupied level lies, for {@link #head} and {@link #volume}. */
    int level(int ladder, int rank) {
        int page = pageOf[ladders[ladder * LADDER_INTS + PAGES] + (rank >>> 6)];
        return page * PAGE_LONGS + (rank & 63) * 2;
    }

    /** Returns the first order of a level. */
    int head(int level) {
        return (int) (levels[level] >>> 32);
    }

    /** Returns the sum of leaves of a level. */
    long volume(int level) {
        return levels[level + 1];
    }

    /** Returns how many orders a level holds. */
    int orderCount(int level) {
        return orderCounts[level >>> 1];
    }

    /** Takes a fill or a reduction out of a level's volume. */
    void subtract(int level, long quantity) {
        levels[level + 1] -= quantity;
    }

    /** Puts an order after the others at its rank. */
    void append(int ladder, int rank, int slot, long leaves) {
        int entry = ladders[ladder * LADDER_INTS + PAGES] + (rank >>> 6);
        int page = pageOf[entry];
        if (page == 0) {
            page = takePage();
            pageOf[entry] = page;
        }
        int level = page * PAGE_LONGS + (rank & 63) * 2;
        long ends = levels[level];
        if (ends == 0) {
            levels[level] = (long) slot << 32 | slot;
            occupy(ladder, rank, page);
        } else {
            int tail = (int) ends;
            store.next(tail, slot);
            store.previous(slot, tail);
            levels[level] = ends & ~LOW | slot;
        }
        levels[level + 1] += leaves;
        orderCounts[level >>> 1]++;
    }

    /** Takes an order out of its place; {@code leaves} is its share of the level's volume. */
    void remove(int ladder, int rank, int slot, long leaves) {
        int level = level(ladder, rank);
        int previous = store.previous(slot);
        int next = store.next(slot);
        long ends = levels[level];
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
        levels[level] = ends;
        levels[level + 1] -= leaves;
        orderCounts[level >>> 1]--;
        if (ends == 0) {
            vacate(ladder, rank);
        }
    }

    /** Takes the first order, which is used up, out of its level. */
    void removeHead(int ladder, int rank, int level, int slot) {
        int next = store.next(slot);
        orderCounts[level >>> 1]--;
        if (next == OrderStore.NONE) {
            levels[level] = 0;
            vacate(ladder, rank);
        } else {
            levels[level] = levels[level] & LOW | (long) next << 32;
            store.previous(next, OrderStore.NONE);
        }
    }

    private void occupy(int ladder, int rank, int page) {
        int at = ladder * LADDER_INTS;
        if (rank < ladders[at]) {
            ladders[at] = rank;
        }
        long before = occupied[page];
        occupied[page] = before | 1L << rank;
        if (before == 0) {
            int p = rank >>> 6;
            layer1[ladders[at + LAYER_1] + (p >>> 6)] |= 1L << p;
            layer2[ladders[at + LAYER_2] + (p >>> 12)] |= 1L << (p >>> 6);
        }
    }

    private void vacate(int ladder, int rank) {
        int at = ladder * LADDER_INTS;
        int p = rank >>> 6;
        int entry = ladders[at + PAGES] + p;
        int page = pageOf[entry];
        long rest = occupied[page] & ~(1L << rank);
        occupied[page] = rest;
        if (rest == 0) {
            pageOf[entry] = 0;
            nextFreePage[page] = firstFreePage;
            firstFreePage = page;
            int word = ladders[at + LAYER_1] + (p >>> 6);
            layer1[word] &= ~(1L << p);
            if (layer1[word] == 0) {
                layer2[ladders[at + LAYER_2] + (p >>> 12)] &= ~(1L << (p >>> 6));
            }
        }
        if (rank == ladders[at]) {
            ladders[at] = after(ladder, rank);
        }
    }

    /** Returns the lowest occupied rank above {@code rank}, or {@link #EMPTY}. */
    int after(int ladder, int rank) {
        int at = ladder * LADDER_INTS;
        int pages = ladders[at + PAGES];
        int p = rank >>> 6;
        long word = above(occupied[pageOf[pages + p]], rank);
        if (word == 0) {
            p = pageAfter(at, p);
            if (p == EMPTY) {
                return EMPTY;
            }
            word = occupied[pageOf[pages + p]];
        }
        return (p << 6) + Long.numberOfTrailingZeros(word);
    }

    private int pageAfter(int at, int p) {
        int words1 = ladders[at + LAYER_1];
        int w = p >>> 6;
        long word = above(layer1[words1 + w], p);
        if (word != 0) {
            return (w << 6) + Long.numberOfTrailingZeros(word);
        }
        int words2 = ladders[at + LAYER_2];
        int words2End = ladders[at + LADDER_INTS + LAYER_2];
        int v = w >>> 6;
        word = above(layer2[words2 + v], w);
        while (word == 0) {
            if (words2 + ++v == words2End) {
                return EMPTY;
            }
            word = layer2[words2 + v];
        }
        w = (v << 6) + Long.numberOfTrailingZeros(word);
        return (w << 6) + Long.numberOfTrailingZeros(layer1[words1 + w]);
    }

    /** Returns the bits of {@code word} above bit {@code index & 63}. */
    private static long above(long word, int index) {
        return word & -2L << index;
    }

    private int takePage() {
        int page = firstFreePage;
        if (page != 0) {
            firstFreePage = nextFreePage[page];
            return page;
        }
        page = ++pageCount;
        if (page == occupied.length) {
            occupied = Arrays.copyOf(occupied, 2 * page);
            nextFreePage = Arrays.copyOf(nextFreePage, 2 * page);
            levels = Arrays.copyOf(levels, Math.multiplyExact(2 * page, PAGE_LONGS));
            orderCounts = Arrays.copyOf(orderCounts, 2 * page * PAGE_LEVELS);
        }
        return page;
    }
}
