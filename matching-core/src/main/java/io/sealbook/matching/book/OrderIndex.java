package io.sealbook.matching.book;

/**
 * Maps (broker, clOrdId) of live orders to their slots by open addressing with linear probing; at most half full. An entry is the
 * upper half of the key's hash and the slot; the key itself is read from the store. Removal shifts followers back, so nothing decays.
 *
 * <p>The seed changes only where entries lie, never an output: a replica may choose its own, so that nobody who chooses ClOrdIDs can
 * make them collide.
 */
final class OrderIndex {
    private static final long LOW = 0xFFFF_FFFFL;

    private final OrderStore store;
    private final long seed;
    private long[] table;
    private int mask;
    private int count;

    OrderIndex(OrderStore store, int initialCapacity, long seed) {
        this.store = store;
        this.seed = seed;
        int length = Integer.highestOneBit(Math.max(8, initialCapacity) - 1) << 2;
        this.table = new long[length];
        this.mask = length - 1;
    }

    /** Returns the slot of the order, or {@link OrderStore#NONE}. */
    int find(int broker, long clOrdId) {
        int tag = tag(broker, clOrdId);
        for (int i = tag & mask; ; i = i + 1 & mask) {
            long entry = table[i];
            if (entry == 0) {
                return OrderStore.NONE;
            }
            if ((int) (entry >>> 32) == tag) {
                int slot = (int) entry;
                if (store.clOrdId(slot) == clOrdId && store.broker(slot) == broker) {
                    return slot;
                }
            }
        }
    }

    /** Adds an order that is not in it. */
    void add(int broker, long clOrdId, int slot) {
        if (++count > table.length >>> 1) {
            grow();
        }
        int tag = tag(broker, clOrdId);
        insert((long) tag << 32 | slot);
    }

    /** Removes an order that is in it. */
    void remove(int broker, long clOrdId, int slot) {
        count--;
        int hole = tag(broker, clOrdId) & mask;
        while ((int) table[hole] != slot) {
            hole = hole + 1 & mask;
        }
        for (int i = hole + 1 & mask; ; i = i + 1 & mask) {
            long entry = table[i];
            if (entry == 0) {
                break;
            }
            int home = (int) (entry >>> 32) & mask;
            if ((i - home & mask) >= (i - hole & mask)) {
                table[hole] = entry;
                hole = i;
            }
        }
        table[hole] = 0;
    }

    private void insert(long entry) {
        int i = (int) (entry >>> 32) & mask;
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = entry;
    }

    private void grow() {
        long[] old = table;
        table = new long[old.length << 1];
        mask = table.length - 1;
        for (long entry : old) {
            if (entry != 0) {
                insert(entry);
            }
        }
    }

    /** The upper half of MurmurHash3's 64-bit finalizer over the key. */
    private int tag(int broker, long clOrdId) {
        long h = (clOrdId ^ seed) + (broker & LOW) * 0x9E3779B97F4A7C15L;
        h = (h ^ h >>> 33) * 0xFF51AFD7ED558CCDL;
        h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
        return (int) (h >>> 32);
    }
}
