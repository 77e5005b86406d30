package io.sealbook.matching.book;

import java.util.Arrays;

/**
 * Where the levels of all books are. A ladder is one side of one book (number {@code 2 * book + side}); its levels are
 * addressed by rank and lie in pages of 64, which exist only while one of their levels holds an order. Which levels are
 * occupied is kept in three layers of bits: one word per page, one bit per page, one bit per word of those, so the next
 * occupied rank is a few word scans away however far.
 *
 * <p>Whether a quantity rests within a limit is found by reading few sums, however many levels there are: each level
 * has its volume, and each word of the three layers has the sum of all its levels. A sum is found when it is read, and
 * forgotten when an order of it comes, changes or leaves: while no order must be filled whole, no order pays for sums.
 * If the sum of a word is known, so are those of all words below it.
 *
 * <pre>
 *   ladder (4 ints)   best rank or EMPTY;  first page entry;  first word of layer 1;  first word of layer 2
 *   page entry (int)  page of {@link LevelPages}, 0 if no order rests there; one for each 64 admitted prices
 * </pre>
 */
final class PriceLadders {
    /** The best rank of a ladder without orders; greater than every rank. */
    static final int EMPTY = Integer.MAX_VALUE;

    /** Page entries of all ladders together: 4 bytes each. */
    private static final long PAGE_ENTRY_COUNT_MAX = 1 << 28;

    private static final int LADDER_INTS = 4;
    private static final int PAGES = 1;
    private static final int LAYER_1 = 2;
    private static final int LAYER_2 = 3;
    /** Ranks of a word of layer 1, and of layer 2, as a power of two. */
    private static final int RANK_1_BITS = LevelPages.PAGE_BITS + 6;

    private static final int RANK_2_BITS = RANK_1_BITS + 6;
    /** In place of the sum of a word. */
    private static final long UNKNOWN = -1;

    private final LevelPages levels;
    /** Of each book, on one side. */
    private int[] pageCounts;

    private int[] ladders;
    private int[] pageOf;
    private long[] layer1;
    private long[] layer2;
    /** By word of layer 1: sum of leaves of its 64 pages, or {@link #UNKNOWN}. */
    private long[] sums1;
    /** By word of layer 2: sum of leaves of its 4,096 pages, or {@link #UNKNOWN}. */
    private long[] sums2;

    private long lookCount;

    /**
     * Makes empty ladders.
     *
     * @param store holds the orders
     * @param priceCounts number of admitted prices of each book
     */
    PriceLadders(OrderStore store, int[] priceCounts) {
        layOut(pageCounts(priceCounts));
        this.levels = new LevelPages(store, Math.max(16, 4 * priceCounts.length));
    }

    private static int[] pageCounts(int[] priceCounts) {
        return Arrays.stream(priceCounts).map(PriceLadders::words).toArray();
    }

    private void layOut(int[] pageCountsOfBooks) {
        this.pageCounts = pageCountsOfBooks;
        this.ladders = new int[(2 * pageCounts.length + 1) * LADDER_INTS];
        long pages = 0;
        int words1 = 0;
        int words2 = 0;
        for (int ladder = 0; ladder < 2 * pageCounts.length; ladder++) {
            int at = ladder * LADDER_INTS;
            ladders[at] = EMPTY;
            ladders[at + PAGES] = (int) pages;
            ladders[at + LAYER_1] = words1;
            ladders[at + LAYER_2] = words2;
            int count = pageCounts[ladder >>> 1];
            pages += count;
            words1 += words(count);
            words2 += words(words(count));
            if (pages > PAGE_ENTRY_COUNT_MAX) {
                throw new IllegalArgumentException("the instruments admit too many prices together: more than "
                        + (PAGE_ENTRY_COUNT_MAX / 2 << LevelPages.PAGE_BITS));
            }
        }
        int end = 2 * pageCounts.length * LADDER_INTS;
        ladders[end + PAGES] = (int) pages;
        ladders[end + LAYER_1] = words1;
        ladders[end + LAYER_2] = words2;
        this.pageOf = new int[(int) pages];
        this.layer1 = new long[words1];
        this.layer2 = new long[words2];
        this.sums1 = new long[words1];
        this.sums2 = new long[words2];
    }

    /**
     * Goes on with other numbers of prices, and with further books at the end. If no book has another number of pages,
     * nothing changes.
     *
     * @param priceCounts number of admitted prices of each book; of one whose ladders hold orders it is that of before
     */
    void reshape(int[] priceCounts) {
        int[] pageCountsAfter = pageCounts(priceCounts);
        if (Arrays.equals(pageCountsAfter, pageCounts)) {
            return;
        }
        int[] before = ladders;
        int[] pagesBefore = pageOf;
        long[] layer1Before = layer1;
        long[] layer2Before = layer2;
        long[] sums1Before = sums1;
        long[] sums2Before = sums2;
        layOut(pageCountsAfter);
        for (int at = 0; at < before.length - LADDER_INTS; at += LADDER_INTS) {
            if (before[at] != EMPTY) {
                ladders[at] = before[at];
                copy(pagesBefore, before, pageOf, at, PAGES);
                copy(layer1Before, before, layer1, at, LAYER_1);
                copy(layer2Before, before, layer2, at, LAYER_2);
                copy(sums1Before, before, sums1, at, LAYER_1);
                copy(sums2Before, before, sums2, at, LAYER_2);
            }
        }
    }

    /** Copies what a ladder has in one of the arrays: from its place to that of the ladder after it. */
    private void copy(Object from, int[] fromPlaces, Object to, int ladder, int part) {
        int first = fromPlaces[ladder + part];
        int length = fromPlaces[ladder + LADDER_INTS + part] - first;
        System.arraycopy(from, first, to, ladders[ladder + part], length);
    }

    private static int words(int bits) {
        return bits + 63 >>> 6;
    }

    /** Returns the levels that hold orders. */
    LevelPages levels() {
        return levels;
    }

    /** Returns the best occupied rank, or {@link #EMPTY}. */
    int best(int ladder) {
        return ladders[ladder * LADDER_INTS];
    }

    /** Returns the number of the level at a rank, whose page exists. */
    int level(int ladder, int rank) {
        return LevelPages.level(pageOf[entry(ladder, rank)], rank);
    }

    /** Returns the page at a page entry, or {@link LevelPages#NO_PAGE}. */
    int page(int entry) {
        return pageOf[entry];
    }

    /** Returns the number of the page entry of a rank. */
    int entry(int ladder, int rank) {
        return ladders[ladder * LADDER_INTS + PAGES] + (rank >>> LevelPages.PAGE_BITS);
    }

    /** Returns the number of the level at a rank, whose page exists from now on: an append must follow. */
    int admit(int ladder, int rank) {
        int entry = entry(ladder, rank);
        int page = pageOf[entry];
        if (page == LevelPages.NO_PAGE) {
            page = levels.takePage(ladder, rank >>> LevelPages.PAGE_BITS);
            pageOf[entry] = page;
            forgetWords(ladder * LADDER_INTS, rank);
        }
        return LevelPages.level(page, rank);
    }

    /** Puts an order after the others of an admitted level; {@code leaves} is its share of the level's volume. */
    void append(int level, int slot, long leaves) {
        forgetSums(level);
        if (levels.append(level, slot, leaves)) {
            occupy(level);
        }
    }

    /** Has the sums above a level found anew. */
    private void forgetSums(int level) {
        int page = level >>> LevelPages.PAGE_BITS;
        if (levels.isSumKnown(page)) {
            levels.forgetSum(page);
            forgetWords(levels.ladder(level) * LADDER_INTS, levels.rank(level));
        }
    }

    private void forgetWords(int at, int rank) {
        sums1[ladders[at + LAYER_1] + (rank >>> RANK_1_BITS)] = UNKNOWN;
        sums2[ladders[at + LAYER_2] + (rank >>> RANK_2_BITS)] = UNKNOWN;
    }

    /** Takes fills or a reduction out of a level's volume; its orders stay. */
    void subtract(int level, long quantity) {
        forgetSums(level);
        levels.subtract(level, quantity);
    }

    private void occupy(int level) {
        int rank = levels.rank(level);
        int at = levels.ladder(level) * LADDER_INTS;
        if (rank < ladders[at]) {
            ladders[at] = rank;
        }
        if (levels.occupied(level >>> LevelPages.PAGE_BITS) == 1L << rank) {
            int p = rank >>> 6;
            layer1[ladders[at + LAYER_1] + (p >>> 6)] |= 1L << p;
            layer2[ladders[at + LAYER_2] + (p >>> 12)] |= 1L << (p >>> 6);
        }
    }

    /** Takes an order out of its level; {@code leaves} is its share of the level's volume. */
    void remove(int level, int slot, long leaves) {
        forgetSums(level);
        if (levels.remove(level, slot, leaves)) {
            vacate(level);
        }
    }

    /** Takes the first order, which is used up, out of its level; its quantity was subtracted before. */
    void removeHead(int level, int slot) {
        if (levels.removeHead(level, slot)) {
            vacate(level);
        }
    }

    private void vacate(int level) {
        int page = level >>> LevelPages.PAGE_BITS;
        int rank = levels.rank(level);
        int ladder = levels.ladder(level);
        int at = ladder * LADDER_INTS;
        boolean isPageVacated = levels.occupied(page) == 0;
        if (isPageVacated) {
            int p = rank >>> 6;
            int word = ladders[at + LAYER_1] + (p >>> 6);
            layer1[word] &= ~(1L << p);
            if (layer1[word] == 0) {
                layer2[ladders[at + LAYER_2] + (p >>> 12)] &= ~(1L << (p >>> 6));
            }
        }
        if (rank == ladders[at]) {
            ladders[at] = after(ladder, rank);
        }
        if (isPageVacated) {
            pageOf[entry(ladder, rank)] = LevelPages.NO_PAGE;
            levels.release(page);
        }
    }

    /**
     * Returns whether the levels up to a rank hold at least a quantity. It reads whole words of layer 2, then of layer
     * 1, whole pages and single levels: 64 of each at most, and of layer 2 those that there are. Each change of an
     * order since has it read 64 of each once more at most.
     *
     * @param ladder number of the ladder
     * @param limitRank the last that counts
     * @param quantity above 0
     */
    boolean holds(int ladder, int limitRank, long quantity) {
        int best = best(ladder);
        if (best > limitRank) {
            return false;
        }
        int at = ladder * LADDER_INTS;
        int limit2 = limitRank >>> RANK_2_BITS;
        int limit1 = limitRank >>> RANK_1_BITS;
        int limitPage = limitRank >>> LevelPages.PAGE_BITS;
        long missing = quantity;
        for (int word = best >>> RANK_2_BITS; word < limit2 && missing > 0; word++) {
            missing -= sum2(at, word);
        }
        for (int word = Math.max(best >>> RANK_1_BITS, limit2 << 6); word < limit1 && missing > 0; word++) {
            missing -= sum1(at, word);
        }
        for (int p = Math.max(best >>> LevelPages.PAGE_BITS, limit1 << 6); p < limitPage && missing > 0; p++) {
            missing -= sum(at, p);
        }
        for (int rank = Math.max(best, limitPage << LevelPages.PAGE_BITS); rank <= limitRank && missing > 0; rank++) {
            lookCount++;
            missing -= levels.volume(level(ladder, rank));
        }
        return missing <= 0;
    }

    /** Returns the sum of a word of layer 2 of a ladder. */
    private long sum2(int at, int word) {
        lookCount++;
        int place = ladders[at + LAYER_2] + word;
        if (sums2[place] == UNKNOWN) {
            long sum = 0;
            int end = Math.min(word + 1 << 6, ladders[at + LADDER_INTS + LAYER_1] - ladders[at + LAYER_1]);
            for (int below = word << 6; below < end; below++) {
                sum += sum1(at, below);
            }
            sums2[place] = sum;
        }
        return sums2[place];
    }

    /** Returns the sum of a word of layer 1 of a ladder. */
    private long sum1(int at, int word) {
        lookCount++;
        int place = ladders[at + LAYER_1] + word;
        if (sums1[place] == UNKNOWN) {
            long sum = 0;
            for (long left = layer1[place]; left != 0; left &= left - 1) {
                sum += sum(at, (word << 6) + Long.numberOfTrailingZeros(left));
            }
            sums1[place] = sum;
        }
        return sums1[place];
    }

    /** Returns the sum of a page of a ladder, by its rank divided by 64. */
    private long sum(int at, int pageRank) {
        int page = pageOf[ladders[at + PAGES] + pageRank];
        lookCount += levels.isSumKnown(page) ? 1 : 1 + Long.bitCount(levels.occupied(page));
        return levels.sum(page);
    }

    /** Returns how many sums and volumes {@link #holds} has read so far. */
    long lookCount() {
        return lookCount;
    }

    /** Returns the lowest occupied rank above {@code rank}, or {@link #EMPTY}. */
    int after(int ladder, int rank) {
        int at = ladder * LADDER_INTS;
        int pages = ladders[at + PAGES];
        int p = rank >>> 6;
        long word = above(levels.occupied(pageOf[pages + p]), rank);
        if (word == 0) {
            p = pageAfter(at, p);
            if (p == EMPTY) {
                return EMPTY;
            }
            word = levels.occupied(pageOf[pages + p]);
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
}
