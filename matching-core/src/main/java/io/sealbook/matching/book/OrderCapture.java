package io.sealbook.matching.book;

/**
 * Hands out the orders that live at one moment while the books go on changing: each once, as it was at that moment.
 * They come in the order of their slots, a portion per call; an order that is about to change or to leave its book
 * comes just before. Orders that come to rest later are left out.
 *
 * <p>The orders of a price are a chain: each is handed out with the one before it. That changes when the one before
 * leaves, so the one after a leaving order comes with it. A change therefore costs two orders at most, however many
 * live.
 *
 * <p>One bit for each slot says whether its order has been handed out or is none of the moment's.
 */
public final class OrderCapture {
    private final OrderBooks books;
    private final OrderStore store;
    private final Sink sink;
    /** The last slot that an order of the moment may have. */
    private final int last;

    private final long[] isDone;
    private int next = 1;

    /** Takes the orders of a capture. */
    public interface Sink {
        /**
         * Takes an order; its other fields are those of its slot.
         *
         * @param slot of the order
         * @param previous slot of the order before it at its price, or {@link OrderStore#NONE}
         */
        void onOrder(int slot, int previous);
    }

    OrderCapture(OrderBooks books, Sink sink) {
        this.books = books;
        this.store = books.orders();
        this.sink = sink;
        this.last = store.lastUsed();
        this.isDone = new long[(last >>> 6) + 1];
    }

    /**
     * Hands out further orders.
     *
     * @param slotCountMax slots that are looked at, above 0; some may have no order of the moment
     * @return whether all have been handed out; the capture has ended then
     */
    public boolean advance(int slotCountMax) {
        int end = (int) Math.min(last + 1L, (long) next + slotCountMax);
        for (; next < end; next++) {
            if (isLive(next)) {
                save(next);
            }
        }
        if (next <= last) {
            return false;
        }
        end();
        return true;
    }

    /** Hands out no further order; changes cost nothing more from now on. */
    public void end() {
        books.endCapture(this);
    }

    /** Hands out an order, which is about to change, unless that has been done. */
    void save(int slot) {
        if (slot <= last && slot != OrderStore.NONE && !isDone(slot)) {
            skip(slot);
            sink.onOrder(slot, store.previous(slot));
        }
    }

    /** Leaves out an order that comes to rest now. */
    void skip(int slot) {
        if (slot <= last) {
            isDone[slot >>> 6] |= 1L << slot;
        }
    }

    private boolean isLive(int slot) {
        return !isDone(slot) && OrderStore.isSlot(slot) && store.leaves(slot) > 0;
    }

    private boolean isDone(int slot) {
        return (isDone[slot >>> 6] & 1L << slot) != 0;
    }
}
