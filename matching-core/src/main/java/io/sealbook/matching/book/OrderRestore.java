package io.sealbook.matching.book;

/**
 * Fills empty books with the orders of an {@link OrderCapture}, which may come in any order. They keep their slots. The
 * books must not be used before {@link #finish}, nor after a fault was found.
 */
public final class OrderRestore {
    private final OrderBooks books;
    private final OrderStore store;
    private final PriceLadders ladders;

    OrderRestore(OrderBooks books, PriceLadders ladders) {
        this.books = books;
        this.store = books.orders();
        this.ladders = ladders;
    }

    /**
     * Returns whether a slot may be given to a further order.
     *
     * @param slot any number
     */
    public boolean isFree(int slot) {
        return store.isWithin(slot) && !store.isLive(slot);
    }

    /**
     * Puts an order in. The caller has checked its fields, and that it is not one too many.
     *
     * @param slot for which {@link #isFree} holds
     * @param previous slot of the order before it at its price, or {@link OrderStore#NONE}; checked by {@link #finish}
     * @param order copied; stays the caller's
     */
    public void put(int slot, int previous, BookOrder order) {
        store.place(slot, order, books.admit(order), previous);
        books.remember(order, slot);
    }

    /** Links the orders of each price and returns what is wrong with their order, in words; empty if nothing is. */
    public String finish() {
        for (int slot = 1; slot <= store.lastUsed(); slot++) {
            int previous = store.isLive(slot) ? store.previous(slot) : OrderStore.NONE;
            if (previous != OrderStore.NONE) {
                if (!mayFollow(previous, slot)) {
                    return "slot " + slot + " cannot follow slot " + previous;
                }
                store.next(previous, slot);
            }
        }
        int placed = 0;
        for (int slot = 1; slot <= store.lastUsed(); slot++) {
            if (store.isLive(slot) && store.previous(slot) == OrderStore.NONE) {
                if (ladders.levels().head(store.level(slot)) != OrderStore.NONE) {
                    return "slot " + slot + " is a second first order of its price";
                }
                placed += place(slot);
            }
        }
        store.releaseUnused();
        return placed == store.count() ? "" : "only " + placed + " of " + store.count() + " orders have a place";
    }

    private boolean mayFollow(int previous, int slot) {
        return store.isWithin(previous)
                && store.isLive(previous)
                && store.level(previous) == store.level(slot)
                && store.next(previous) == OrderStore.NONE;
    }

    private int place(int first) {
        int count = 0;
        for (int slot = first; slot != OrderStore.NONE; slot = store.next(slot)) {
            ladders.append(store.level(slot), slot, store.leaves(slot));
            count++;
        }
        return count;
    }
}
