package io.sealbook.matching.book;

/**
 * All live orders of a core, 64 bytes each; a slot keeps its number while the order lives.
 *
 * <p>Slots lie in chunks of 2 MiB, the size of a huge page. A chunk is allocated when the first of its slots is taken,
 * so growth costs the same however many orders live, and moves none. Slot {@code s} lies in chunk {@code s >>> 15}, at
 * byte {@code 64 + 64 * (s & 32767)} from the start of the array object: where the collector aligns the object, as G1
 * does with large ones, an order is exactly one cache line. The header of the array takes the first of these lines, so
 * that the last place of a chunk is no slot. Slot 0 means none; its memory exists, so that reading ahead needs no
 * branch.
 *
 * <pre>
 *   word  high 32 bits        low 32 bits
 *   0     clOrdId, chosen by the broker
 *   1     leaves, above 0 while the order rests; 0 in a released slot
 *   2     next slot           previous slot, {@link #NONE} at the ends of the level
 *   3     level               broker position (bits 16..31), session (bits 6..15), attributes (bits 0..5)
 *   4     orderId
 *   5     quantity
 *   6     sum of price times quantity over its fills
 *   7     chained slot        accountId; chained: the next order at its place of the {@link OrderIndex}
 * </pre>
 *
 * <p>Released slots are a stack, each with the one below it in word 2. The slot that was released last, whose line is
 * most likely in the cache, is taken first, and is written in any case.
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

    private static final int CHUNK_BITS = 15;
    private static final int CHUNK_MASK = (1 << CHUNK_BITS) - 1;
    private static final int WORD_BITS = 3;
    /** Words that fill the line of the array's header, which takes 2. */
    private static final int FIRST = 6;

    private static final int CHUNK_WORDS = FIRST + (CHUNK_MASK << WORD_BITS);

    private static final int CL_ORD_ID = FIRST;
    private static final int LEAVES = FIRST + 1;
    private static final int LINKS = FIRST + 2;
    private static final int PLACE = FIRST + 3;
    private static final int ORDER_ID = FIRST + 4;
    private static final int QUANTITY = FIRST + 5;
    private static final int CUM_VALUE = FIRST + 6;
    private static final int ACCOUNT = FIRST + 7;
    private static final long LOW = 0xFFFF_FFFFL;
    private static final int BROKER_SHIFT = 16;
    private static final int SESSION_SHIFT = 6;
    private static final int SESSION_MASK = 0x3FF;
    private static final int ATTRIBUTES_MASK = 0x3F;

    private final int countMax;
    private final long[][] chunks;
    /** The top of the stack of released slots, or {@link #NONE}. */
    private int released;
    /** The highest slot that was ever taken. */
    private int used;

    private int count;

    /** @param countMax orders that may live at once */
    OrderStore(int countMax) {
        this.countMax = countMax;
        int chunkCount = (countMax + 1) / CHUNK_MASK + 1;
        this.chunks = new long[chunkCount][];
        allocate(0);
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
     * @param order copied, but for book and price
     * @param level replaces book and price, see {@link PriceLadders}
     * @return the slot
     */
    int take(BookOrder order, int level) {
        int slot = released == NONE ? unused() : pop();
        count++;
        fill(slot, order, level);
        return slot;
    }

    private void fill(int slot, BookOrder order, int level) {
        long[] w = chunk(slot);
        int at = at(slot);
        w[at + CL_ORD_ID] = order.clOrdId;
        w[at + LEAVES] = order.leaves;
        w[at + LINKS] = 0;
        int owner = order.broker << BROKER_SHIFT | order.session << SESSION_SHIFT | order.attributes;
        w[at + PLACE] = (long) level << 32 | owner & LOW;
        w[at + ORDER_ID] = order.orderId;
        w[at + QUANTITY] = order.quantity;
        w[at + CUM_VALUE] = order.cumValue;
        w[at + ACCOUNT] = order.account & LOW;
    }

    private int pop() {
        int slot = released;
        released = next(slot);
        return slot;
    }

    private int unused() {
        used++;
        if ((used & CHUNK_MASK) == CHUNK_MASK) {
            used++;
        }
        int chunk = used >>> CHUNK_BITS;
        if (chunks[chunk] == null) {
            allocate(chunk);
        }
        return used;
    }

    private void allocate(int chunk) {
        chunks[chunk] = new long[CHUNK_WORDS];
    }

    /** Copies everything but book and price out of a slot; see {@link OrderBooks#load}. */
    void load(int slot, BookOrder order) {
        long[] w = chunk(slot);
        int at = at(slot);
        order.clOrdId = w[at + CL_ORD_ID];
        order.leaves = w[at + LEAVES];
        int owner = (int) w[at + PLACE];
        order.broker = owner >>> BROKER_SHIFT;
        order.session = owner >>> SESSION_SHIFT & SESSION_MASK;
        order.attributes = owner & ATTRIBUTES_MASK;
        order.orderId = w[at + ORDER_ID];
        order.quantity = w[at + QUANTITY];
        order.cumValue = w[at + CUM_VALUE];
        order.account = (int) w[at + ACCOUNT];
    }

    void release(int slot) {
        chunk(slot)[at(slot) + LEAVES] = 0;
        push(slot);
        count--;
    }

    private void push(int slot) {
        next(slot, released);
        released = slot;
    }

    /** Returns whether the number is one of a slot: every chunk has a last place that is none. */
    static boolean isSlot(int slot) {
        return slot > NONE && (slot & CHUNK_MASK) != CHUNK_MASK;
    }

    /** Returns whether the number is one of a slot of this store, taken ever or not. */
    boolean isWithin(int slot) {
        return isSlot(slot) && slot >>> CHUNK_BITS < chunks.length;
    }

    /** Returns whether an order lives in a slot of this store. */
    boolean isLive(int slot) {
        return slot <= used && isSlot(slot) && leaves(slot) > 0;
    }

    /** Returns the highest slot that was ever taken. */
    int lastUsed() {
        return used;
    }

    /**
     * Fills a slot whatever was taken before; {@link #releaseUnused} must follow the last one.
     *
     * @param slot of this store, in which no order lives
     * @param order copied, but for book and price
     * @param level replaces book and price
     * @param previous noted as the order before it
     */
    void place(int slot, BookOrder order, int level, int previous) {
        for (int chunk = used >>> CHUNK_BITS; chunk < slot >>> CHUNK_BITS; chunk++) {
            allocate(chunk + 1);
        }
        used = Math.max(used, slot);
        count++;
        fill(slot, order, level);
        previous(slot, previous);
    }

    /** Lets the slots between those that were filled be taken, the lowest first. */
    void releaseUnused() {
        for (int slot = used; slot > NONE; slot--) {
            if (isSlot(slot) && leaves(slot) == 0) {
                push(slot);
            }
        }
    }

    /** Reads the whole order, taken or not; returns a number without meaning. */
    long touch(int slot) {
        long[] w = chunk(slot);
        int at = at(slot);
        return w[at + CL_ORD_ID] + w[at + ACCOUNT];
    }

    /** Reads an order's links, or nothing for {@link #NONE}; returns a number without meaning. No branch. */
    long touchLinks(int slot) {
        return chunk(slot)[at(slot) + LINKS];
    }

    private long[] chunk(int slot) {
        return chunks[slot >>> CHUNK_BITS];
    }

    private static int at(int slot) {
        return (slot & CHUNK_MASK) << WORD_BITS;
    }

    public long orderId(int slot) {
        return chunk(slot)[at(slot) + ORDER_ID];
    }

    public long clOrdId(int slot) {
        return chunk(slot)[at(slot) + CL_ORD_ID];
    }

    public long quantity(int slot) {
        return chunk(slot)[at(slot) + QUANTITY];
    }

    public long leaves(int slot) {
        return chunk(slot)[at(slot) + LEAVES];
    }

    public long cumValue(int slot) {
        return chunk(slot)[at(slot) + CUM_VALUE];
    }

    public int account(int slot) {
        return (int) chunk(slot)[at(slot) + ACCOUNT];
    }

    /** Returns the level in which the order rests, see {@link PriceLadders}. */
    int level(int slot) {
        return (int) (chunk(slot)[at(slot) + PLACE] >>> 32);
    }

    /** Notes another level, or whatever the order's place is while it rests in none. */
    void level(int slot, int level) {
        long[] w = chunk(slot);
        int at = at(slot) + PLACE;
        w[at] = w[at] & LOW | (long) level << 32;
    }

    /** Returns the position of the order's broker in the configuration. */
    public int broker(int slot) {
        return (int) chunk(slot)[at(slot) + PLACE] >>> BROKER_SHIFT;
    }

    /** Returns the session of its broker that the order came in. */
    public int session(int slot) {
        return (int) chunk(slot)[at(slot) + PLACE] >>> SESSION_SHIFT & SESSION_MASK;
    }

    /** Returns {@link #SELL}, {@link #GOOD_TILL_CANCEL} and {@link #REPLACED} as bits. */
    public int attributes(int slot) {
        return (int) chunk(slot)[at(slot) + PLACE] & ATTRIBUTES_MASK;
    }

    /** Returns 0 for a buy order, 1 for a sell order. */
    public int side(int slot) {
        return (int) chunk(slot)[at(slot) + PLACE] & SELL;
    }

    /** Returns the order after this one at its price, or {@link #NONE}. */
    public int next(int slot) {
        return (int) (chunk(slot)[at(slot) + LINKS] >>> 32);
    }

    int previous(int slot) {
        return (int) chunk(slot)[at(slot) + LINKS];
    }

    void next(int slot, int next) {
        long[] w = chunk(slot);
        int at = at(slot) + LINKS;
        w[at] = (long) next << 32 | w[at] & LOW;
    }

    void previous(int slot, int previous) {
        long[] w = chunk(slot);
        int at = at(slot) + LINKS;
        w[at] = w[at] & ~LOW | previous;
    }

    /** Returns the order that follows this one in the {@link OrderIndex}, or {@link #NONE}. */
    int chained(int slot) {
        return (int) (chunk(slot)[at(slot) + ACCOUNT] >>> 32);
    }

    void chain(int slot, int following) {
        long[] w = chunk(slot);
        int at = at(slot) + ACCOUNT;
        w[at] = (long) following << 32 | w[at] & LOW;
    }

    /** Books a fill; returns the quantity left. */
    long fill(int slot, long quantity, long value) {
        long[] w = chunk(slot);
        int at = at(slot);
        w[at + CUM_VALUE] += value;
        return w[at + LEAVES] -= quantity;
    }

    /** Gives an order in its place another name, quantity and lifetime. */
    void amend(int slot, long clOrdId, long quantity, long leaves, int attributes) {
        long[] w = chunk(slot);
        int at = at(slot);
        w[at + CL_ORD_ID] = clOrdId;
        w[at + QUANTITY] = quantity;
        w[at + LEAVES] = leaves;
        w[at + PLACE] = w[at + PLACE] & ~(long) ATTRIBUTES_MASK | attributes;
    }
}
