package io.sealbook.matching.book;

/**
 * A part of the {@link OrderIndex}: the orders whose tags begin with the same bits. The last bits of the tag name a
 * place; the place names the order that came last to it, and each order the one that came before it, see
 * {@link OrderStore}. So an order never moves, and its removal looks at no other place.
 */
final class IndexSegment {
    static final int LENGTH_BITS = 13;

    /** Leading bits of the tag that all orders share. */
    final int sharedBits;

    private final OrderStore store;
    /** Slots; {@link OrderStore#NONE} where no order is. */
    private int[] places;

    private int count;

    /**
     * @param store holds the orders
     * @param sharedBits leading bits of the tag that all orders share
     */
    IndexSegment(OrderStore store, int sharedBits) {
        this.store = store;
        this.sharedBits = sharedBits;
        this.places = new int[1 << LENGTH_BITS];
    }

    /** Returns whether one more order would make chains long: there is one order for two places. */
    boolean isFull() {
        return count == places.length / 2;
    }

    /** Returns the order at which the search for a tag begins; it goes on at {@link OrderStore#chained}. */
    int first(int tag) {
        return places[tag & places.length - 1];
    }

    /** Returns the first order of each place; not to be changed. */
    int[] places() {
        return places;
    }

    /** Adds an order; the segment has room for it. */
    void add(int tag, int slot) {
        int place = tag & places.length - 1;
        store.chain(slot, places[place]);
        places[place] = slot;
        count++;
    }

    /** Removes an order that is in it. */
    void remove(int tag, int slot) {
        int place = tag & places.length - 1;
        int before = places[place];
        if (before == slot) {
            places[place] = store.chained(slot);
        } else {
            while (store.chained(before) != slot) {
                before = store.chained(before);
            }
            store.chain(before, store.chained(slot));
        }
        count--;
    }

    /** Forgets all orders and doubles its length. */
    void lengthen() {
        places = new int[2 * places.length];
        count = 0;
    }
}
