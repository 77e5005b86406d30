package io.sealbook.matching.book;

import java.util.Arrays;

/**
 * Maps (broker, clOrdId) of live orders to their slots by extendible hashing (Fagin et al., ACM TODS 4(3), 1979): the
 * first bits of the key's tag choose a segment from a directory, the last ones a place in it. A full segment is split
 * in two by one more bit. So growth costs the same however many orders live: it moves some 4,000 orders, never all.
 * Segments do not merge again.
 *
 * <pre>
 *   tag, 32 bits  bits 4..31 hash of the run, bits 0..3 of the id
 *   directory     place tag >>> 32 - directoryBits; a segment that shares fewer bits has several places
 *   segment       place tag & 8191, 4 bytes: an order, whose slot names the next one at the place
 * </pre>
 *
 * <p>The key itself is read from the store, whose line the caller needs in any case. Sixteen successive ids, a run,
 * have the sixteen places of a line that a hash chooses: ids given in turn, which is what brokers do, share cache
 * lines. Orders of one place are linked and do not move to the places beside it, so that a run fills its line and
 * disturbs no other. There are two to four places for each order, so that four orders of five are the first at theirs.
 * In a market of 500,000 orders twice as many save at most 5 % of the time, and half as many cost a tenth. A look-up of
 * an order drawn at random costs one line here and one in the store. Positions in a window per broker would cost the
 * same, and admit only ids that are counted up.
 *
 * <p>The hash multiplies twice by odd factors drawn from the seed (multiply-shift, Dietzfelbinger et al., J. Algorithms
 * 25, 1997), with the upper half folded in between, so that every bit of the id reaches every bit of the tag that
 * chooses a place. The seed changes only where entries lie, never an output: a replica may choose its own, so that a
 * broker who chooses ClOrdIDs cannot look for ones that collide. A segment whose keys the directory cannot part becomes
 * longer.
 */
final class OrderIndex {
    /** Sets the runs of brokers apart. */
    private static final long BROKER_FACTOR = 0xC4CEB9FE1A85EC53L;

    private static final int RUN_BITS = 4;
    private static final int RUN_MASK = (1 << RUN_BITS) - 1;
    /** 2^24 orders, evenly spread, need 2^13 segments. */
    private static final int DIRECTORY_BITS_MAX = 15;

    private final OrderStore store;
    private final long firstFactor;
    private final long secondFactor;
    private final int directoryBitsMax;
    private IndexSegment[] directory;
    private int directoryBits;

    /**
     * @param store holds the keys
     * @param seed decides where entries lie and nothing else
     */
    OrderIndex(OrderStore store, long seed) {
        this(store, mix(seed ^ BROKER_FACTOR), mix(mix(seed) + BROKER_FACTOR), DIRECTORY_BITS_MAX);
    }

    /**
     * @param store holds the keys
     * @param firstFactor of the hash; its last bit counts as set
     * @param secondFactor of the hash; its last bit counts as set
     * @param directoryBitsMax from here on full segments become longer, 0..15
     */
    OrderIndex(OrderStore store, long firstFactor, long secondFactor, int directoryBitsMax) {
        this.store = store;
        this.firstFactor = firstFactor | 1;
        this.secondFactor = secondFactor | 1;
        this.directoryBitsMax = directoryBitsMax;
        this.directory = new IndexSegment[] {new IndexSegment(store, 0)};
    }

    /** MurmurHash3's 64-bit finalizer. */
    private static long mix(long value) {
        long h = value;
        h = (h ^ h >>> 33) * 0xFF51AFD7ED558CCDL;
        h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
        return h ^ h >>> 33;
    }

    /** Returns the slot of the order, or {@link OrderStore#NONE}. */
    int find(int broker, long clOrdId) {
        int slot = first(tag(broker, clOrdId));
        while (slot != OrderStore.NONE && !(store.clOrdId(slot) == clOrdId && store.broker(slot) == broker)) {
            slot = store.chained(slot);
        }
        return slot;
    }

    /** Returns the order at which the search for a tag begins, or {@link OrderStore#NONE}; reads no order. */
    int first(int tag) {
        return segment(tag).first(tag);
    }

    /** Adds an order that is not in it. */
    void add(int broker, long clOrdId, int slot) {
        int tag = tag(broker, clOrdId);
        IndexSegment segment = segment(tag);
        while (segment.isFull()) {
            grow(segment, tag);
            segment = segment(tag);
        }
        segment.add(tag, slot);
    }

    /** Removes an order that is in it. */
    void remove(int broker, long clOrdId, int slot) {
        int tag = tag(broker, clOrdId);
        segment(tag).remove(tag, slot);
    }

    private void grow(IndexSegment segment, int tag) {
        if (segment.sharedBits < directoryBits) {
            split(segment, tag);
        } else if (directoryBits < directoryBitsMax) {
            IndexSegment[] half = directory;
            directory = new IndexSegment[2 * half.length];
            Arrays.setAll(directory, place -> half[place >>> 1]);
            directoryBits++;
        } else {
            int[] places = segment.places();
            segment.lengthen();
            addAll(places);
        }
    }

    private void split(IndexSegment segment, int tag) {
        int places = 1 << directoryBits - segment.sharedBits;
        int first = place(tag) & -places;
        int middle = first + places / 2;
        Arrays.fill(directory, first, middle, new IndexSegment(store, segment.sharedBits + 1));
        Arrays.fill(directory, middle, first + places, new IndexSegment(store, segment.sharedBits + 1));
        addAll(segment.places());
    }

    /** Adds the orders of a segment that has gone. */
    private void addAll(int[] places) {
        for (int first : places) {
            int next;
            for (int slot = first; slot != OrderStore.NONE; slot = next) {
                next = store.chained(slot);
                int tag = tag(store.broker(slot), store.clOrdId(slot));
                segment(tag).add(tag, slot);
            }
        }
    }

    private IndexSegment segment(int tag) {
        return directory[place(tag)];
    }

    private int place(int tag) {
        return (int) ((tag & 0xFFFF_FFFFL) >>> Integer.SIZE - directoryBits);
    }

    /** The hash of the run; in place of its last bits, which choose no place, those of the id. */
    int tag(int broker, long clOrdId) {
        long hash = ((clOrdId >>> RUN_BITS) + broker * BROKER_FACTOR) * firstFactor;
        hash = (hash ^ hash >>> 32) * secondFactor;
        return (int) (hash >>> 32) & ~RUN_MASK | (int) clOrdId & RUN_MASK;
    }
}
