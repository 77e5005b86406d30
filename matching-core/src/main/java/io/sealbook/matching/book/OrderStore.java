package io.sealbook.matching.book;

import java.util.Arrays;

/**
 * All live orders of a core, 64 bytes each in one array; a slot keeps its number while the order lives. Slots count
 * from 1, so that 0 means none. Growth doubles the array and moves no slot.
 *
 * <pre>
 *   word  high 32 bits        low 32 bits
 *   0     orderId
 *   1     clOrdId
 *   2     quantity
 *   3     leaves
 *   4     cumValue
 *   5     next slot           previous slot
 *   6     rank                accountId
 *   7     book                broker (bits 8..31), attributes (bits 0..7)
 * </pre>
 */
public final class OrderStore {
    /** No slot. */
    public static final int NONE = 0;
    /** Attribute: a sell order. */
    public static final int SELL = 1;
    /** Attribute: good till cancel, else good for the day. */
    public static final int GOOD_TILL_CANCEL = 2;
    /** Attribute: last placed by a replace, else by a new order. */
    public static final int REPLACED = 4;

    private static final int WORDS = 8;
    private static final int QUANTITY = 2;
    private static final int LEAVES = 3;
    private static final int CUM_VALUE = 4;
    private static final int LINKS = 5;
    private static final int PLACE = 6;
    private static final int OWNER = 7;
    private static final long LOW = 0xFFFF_FFFFL;

    private final int countMax;
    private long[] words;
    private int firstFree = NONE;
    private int used;
    private int count;

    OrderStore(int initialCapacity, int countMax) {
        this.countMax = countMax;
        this.words = new long[(Math.min(initialCapacity, countMax) + 1) * WORDS];
    }

    /** Returns how many orders live. */
    public int count() {
        return count;
    }

    /** Returns whether no further order fits. */
    public boolean isFull() {
        return count == countMax;
    }

    /**
     * Takes a slot, unlinked. The caller has checked {@link #isFull}.
     *
     * @param order copied, but for its price
     * @param rank replaces the price
     * @return the slot
     */
    int take(BookOrder order, int rank) {
        int slot = firstFree;
        if (slot == NONE) {
            slot = ++used;
            if ((slot + 1) * WORDS > words.length) {
                grow();
            }
        } else {
            firstFree = next(slot);
        }
        count++;
        long[] w = words;
        int at = slot * WORDS;
        w[at] = order.orderId;
        w[at + 1] = order.clOrdId;
        w[at + QUANTITY] = order.quantity;
        w[at + LEAVES] = order.leaves;
        w[at + CUM_VALUE] = order.cumValue;
        w[at + LINKS] = 0;
        w[at + PLACE] = (long) rank << 32 | order.account & LOW;
        w[at + OWNER] = (long) order.book << 32 | (long) order.broker << 8 | order.attributes;
        return slot;
    }

    /** Copies everything but the price out of a slot; see {@link OrderBooks#load}. */
    void load(int slot, BookOrder order) {
        long[] w = words;
        int at = slot * WORDS;
        order.orderId = w[at];
        order.clOrdId = w[at + 1];
        order.quantity = w[at + QUANTITY];
        order.leaves = w[at + LEAVES];
        order.cumValue = w[at + CUM_VALUE];
        order.account = (int) w[at + PLACE];
        long owner = w[at + OWNER];
        order.book = (int) (owner >>> 32);
        order.broker = (int) owner >>> 8;
        order.attributes = (int) owner & 0xFF;
    }

    void release(int slot) {
        words[slot * WORDS + LINKS] = (long) firstFree << 32;
        firstFree = slot;
        count--;
    }

    private void grow() {
        long length = Math.min(2L * words.length, (countMax + 1L) * WORDS);
        words = Arrays.copyOf(words, (int) length);
    }

    public long orderId(int slot) {
        return words[slot * WORDS];
    }

    public long clOrdId(int slot) {
        return words[slot * WORDS + 1];
    }

    public long quantity(int slot) {
        return words[slot * WORDS + QUANTITY];
    }

    public long leaves(int slot) {
        return words[slot * WORDS + LEAVES];
    }

    public long cumValue(int slot) {
        return words[slot * WORDS + CUM_VALUE];
    }

    /** Returns the number of ticks from the best price that the order's side could have. */
    public int rank(int slot) {
        return (int) (words[slot * WORDS + PLACE] >>> 32);
    }

    public int account(int slot) {
        return (int) words[slot * WORDS + PLACE];
    }

    public int book(int slot) {
        return (int) (words[slot * WORDS + OWNER] >>> 32);
    }

    /** Returns the position of the order's broker in the configuration. */
    public int broker(int slot) {
        return (int) words[slot * WORDS + OWNER] >>> 8;
    }

    /** Returns {@link #SELL}, {@link #GOOD_TILL_CANCEL} and {@link #REPLACED} as bits. */
    public int attributes(int slot) {
        return (int) words[slot * WORDS + OWNER] & 0xFF;
    }

    /** Returns 0 for a buy order, 1 for a sell order. */
    public int side(int slot) {
        return (int) words[slot * WORDS + OWNER] & SELL;
    }

    /** Returns the order after this one at its price, or {@link #NONE}. */
    public int next(int slot) {
        return (int) (words[slot * WORDS + LINKS] >>> 32);
    }

    int previous(int slot) {
        return (int) words[slot * WORDS + LINKS];
    }

    void next(int slot, int next) {
        int at = slot * WORDS + LINKS;
        words[at] = (long) next << 32 | words[at] & LOW;
    }

    void previous(int slot, int previous) {
        int at = slot * WORDS + LINKS;
        words[at] = words[at] & ~LOW | previous;
    }

    /** Books a fill; returns the quantity left. */
    long fill(int slot, long quantity, long value) {
        int at = slot * WORDS;
        words[at + CUM_VALUE] += value;
        return words[at + LEAVES] -= quantity;
    }

    /** Gives an order in its place another name, quantity and lifetime. */
    void amend(int slot, long clOrdId, long quantity, long leaves, int attributes) {
        int at = slot * WORDS;
        words[at + 1] = clOrdId;
        words[at + QUANTITY] = quantity;
        words[at + LEAVES] = leaves;
        words[at + OWNER] = words[at + OWNER] & ~0xFFL | attributes;
    }
}
