package io.sealbook.matching.book;

/**
 * Moves the orders of books whose prices change to their new ranks. In between, the orders of a ladder are a chain
 * through their links, and an order's level is its rank: no memory is taken for them.
 */
final class LadderMove {
    private final OrderStore store;
    private final PriceLadders ladders;
    private final LevelPages levels;
    private final Chain[] chains;
    private int count;

    /** Orders of a ladder in priority order; {@code shift} leads from old ranks to new ones. */
    private record Chain(int ladder, int first, long shift) {}

    /** @param bookCount that may change */
    LadderMove(OrderStore store, PriceLadders ladders, int bookCount) {
        this.chains = new Chain[2 * bookCount];
        this.store = store;
        this.ladders = ladders;
        this.levels = ladders.levels();
    }

    /** Takes all orders out of a book, whose prices are going to change. */
    void takeOut(int book, PriceRange before, PriceRange after) {
        chains[count++] = new Chain(2 * book, takeOut(2 * book), after.max() - before.max());
        chains[count++] = new Chain(2 * book + 1, takeOut(2 * book + 1), before.min() - after.min());
    }

    private int takeOut(int ladder) {
        int first = OrderStore.NONE;
        int last = OrderStore.NONE;
        for (int rank = ladders.best(ladder); rank != PriceLadders.EMPTY; rank = ladders.best(ladder)) {
            int level = ladders.level(ladder, rank);
            int slot = levels.head(level);
            ladders.remove(level, slot, store.leaves(slot));
            store.level(slot, rank);
            store.next(slot, OrderStore.NONE);
            if (last == OrderStore.NONE) {
                first = slot;
            } else {
                store.next(last, slot);
            }
            last = slot;
        }
        return first;
    }

    /** Puts all orders back at their new ranks. */
    void putBack() {
        for (int i = 0; i < count; i++) {
            Chain chain = chains[i];
            int next;
            for (int slot = chain.first; slot != OrderStore.NONE; slot = next) {
                next = store.next(slot);
                store.next(slot, OrderStore.NONE);
                store.previous(slot, OrderStore.NONE);
                int level = ladders.admit(chain.ladder, Math.toIntExact(store.level(slot) + chain.shift));
                store.level(slot, level);
                ladders.append(level, slot, store.leaves(slot));
            }
        }
    }
}
