package io.sealbook.matching.book;

/**
 * Reads the memory that expected entries will need, before the first of them is executed. An entry alone waits for each
 * line in turn, because each names the next: index, order, level, neighbours in the queue. Here the same step is made
 * for all entries before the next step, and no branch of a step depends on what it reads: the processor has the lines
 * of many entries under way at once, and the entries then find them in its cache.
 *
 * <pre>
 *   step  of an order that is named       of an order that comes
 *   0     its place in the index          its ClOrdID's place in the index; the pages of its level and of the best
 *                                         level that it may take; a free slot
 *   1     the order                       another order at that place; both levels
 *   2     its neighbours and its level    the last order of its level; the first that it may take
 *   3                                     that one's place in the index, and the next one
 * </pre>
 *
 * <p>It changes nothing but the cache: what is expected may never come.
 */
final class LookAhead {
    private static final int CAPACITY = 64;

    /** Levels that are expected: first where their pages are found, then they themselves. */
    private static final class Places {
        final int[] entries = new int[CAPACITY];
        final int[] ranks = new int[CAPACITY];
        final int[] levels = new int[CAPACITY];
        int count;

        void add(int entry, int rank) {
            entries[count] = entry;
            ranks[count++] = rank;
        }
    }

    private final OrderStore store;
    private final OrderIndex index;
    private final PriceLadders ladders;
    private final LevelPages levels;

    private final int[] absent = new int[CAPACITY];
    private int absentCount;
    private final int[] present = new int[CAPACITY];
    private int presentCount;
    private final int[] slots = new int[CAPACITY];
    private final Places joined = new Places();
    private final Places taken = new Places();
    /** Keeps the reads alive. */
    private long touched;

    LookAhead(OrderStore store, OrderIndex index, PriceLadders ladders) {
        this.store = store;
        this.index = index;
        this.ladders = ladders;
        this.levels = ladders.levels();
    }

    /** Expects a look-up that finds nothing. */
    void expectAbsent(int broker, long clOrdId) {
        if (absentCount == CAPACITY) {
            fetch();
        }
        absent[absentCount++] = index.tag(broker, clOrdId);
    }

    /** Expects a look-up whose order leaves its place. */
    void expectPresent(int broker, long clOrdId) {
        if (presentCount == CAPACITY) {
            fetch();
        }
        present[presentCount++] = index.tag(broker, clOrdId);
    }

    /**
     * Expects an order that comes.
     *
     * @param ladder its own
     * @param rank where it may come to rest
     * @param limitRank in the other ladder, the last that it may take
     */
    void expect(int ladder, int rank, int limitRank) {
        if (joined.count == CAPACITY) {
            fetch();
        }
        joined.add(ladders.entry(ladder, rank), rank);
        int best = ladders.best(ladder ^ 1);
        if (best <= limitRank) {
            taken.add(ladders.entry(ladder ^ 1, best), best);
        }
    }

    void fetch() {
        touched += touchPlaces() + touchOrders() + touchLevels(joined) + touchLevels(taken);
        touched += touchNeighbours() + touchNextToFirst();
        absentCount = 0;
        presentCount = 0;
        joined.count = 0;
        taken.count = 0;
    }

    private long touchPlaces() {
        long sum = 0;
        for (int i = 0; i < presentCount; i++) {
            sum += index.first(present[i]);
        }
        for (int i = 0; i < absentCount; i++) {
            sum += index.first(absent[i]);
        }
        for (int i = 0; i < joined.count; i++) {
            sum += ladders.page(joined.entries[i]);
        }
        for (int i = 0; i < taken.count; i++) {
            sum += ladders.page(taken.entries[i]);
        }
        return sum;
    }

    private long touchOrders() {
        long sum = 0;
        for (int i = 0; i < presentCount; i++) {
            slots[i] = index.first(present[i]);
            sum += store.touch(slots[i]);
        }
        for (int i = 0; i < absentCount; i++) {
            sum += store.touch(index.first(absent[i]));
        }
        return sum;
    }

    private long touchLevels(Places places) {
        long sum = 0;
        for (int i = 0; i < places.count; i++) {
            places.levels[i] = LevelPages.level(ladders.page(places.entries[i]), places.ranks[i]);
            sum += levels.touch(places.levels[i]);
        }
        return sum;
    }

    private long touchNeighbours() {
        long sum = 0;
        for (int i = 0; i < presentCount; i++) {
            int slot = slots[i];
            sum += levels.touch(store.level(slot))
                    + store.touchLinks(store.next(slot))
                    + store.touchLinks(store.previous(slot));
        }
        for (int i = 0; i < joined.count; i++) {
            sum += store.touchLinks(levels.tail(joined.levels[i]));
        }
        for (int i = 0; i < taken.count; i++) {
            sum += store.touch(levels.head(taken.levels[i]));
        }
        return sum;
    }

    private long touchNextToFirst() {
        long sum = 0;
        for (int i = 0; i < taken.count; i++) {
            int first = levels.head(taken.levels[i]);
            sum += index.first(index.tag(store.broker(first), store.clOrdId(first)))
                    + store.touchLinks(store.next(first));
        }
        return sum;
    }
}
