package io.sealbook.matching.book;

/**
 * Maps (broker, clOrdId) of live orders to their slots by open addressing with linear probing; at most a quarter full,
 * so that where ids are given in turn nearly every probe ends at its first place. An entry is the tag of the key and
 * the slot; the key itself is read from the store. Removal shifts followers back, so nothing decays.
 *
 * <p>Eight successive ids, a run, have the eight places that a hash chooses: ids given in turn, which is what brokers
 * do, share cache lines. The hash is multiply-shift (Dietzfelbinger et al., J. Algorithms 25, 1997): successive runs
 * lie evenly spread and hardly ever collide, so that the processor guesses the probe loop right. The seed changes only
 * where entries lie, never an output: a replica may choose its own, so that a broker who chooses ClOrdIDs cannot look
 * for ones that collide.
 */
final class OrderIndex {
    /** 2^64 divided by the golden ratio, made odd: the multiplier of seed 0. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final long BROKER_FACTOR = 0xC4CEB9FE1A85EC53L;

    private static final int RUN_BITS = 3;
    private static final int RUN_MASK = (1 << RUN_BITS) - 1;

    private final OrderStore store;
    private final long multiplier;
    /** Sets the runs of brokers apart. */
    private final long brokerFactor;

    private long[] table;
    private int mask;
    private int shift;
    private int count;

    OrderIndex(OrderStore store, int initialCapacity, long seed) {
        this.store = store;
        this.multiplier = seed == 0 ? GOLDEN : mix(seed) | 1;
        this.brokerFactor = mix(seed ^ BROKER_FACTOR);
        resize(Integer.highestOneBit(Math.max(8, initialCapacity) - 1) << 3);
    }

    private void resize(int length) {
        table = new long[length];
        mask = length - 1;
        shift = Integer.numberOfLeadingZeros(mask);
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
        int tag = tag(broker, clOrdId);
        for (int i = home(tag); ; i = i + 1 & mask) {
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
        if (++count > table.length >>> 2) {
            grow();
        }
        insert((long) tag(broker, clOrdId) << 32 | slot);
    }

    /** Removes an order that is in it. */
    void remove(int broker, long clOrdId, int slot) {
        count--;
        int hole = home(broker, clOrdId);
        while ((int) table[hole] != slot) {
            hole = hole + 1 & mask;
        }
        for (int i = hole + 1 & mask; ; i = i + 1 & mask) {
            long entry = table[i];
            if (entry == 0) {
                break;
            }
            int home = home((int) (entry >>> 32));
            if ((i - home & mask) >= (i - hole & mask)) {
                table[hole] = entry;
                hole = i;
            }
        }
        table[hole] = 0;
    }

    private void insert(long entry) {
        int i = home((int) (entry >>> 32));
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = entry;
    }

    private void grow() {
        long[] old = table;
        resize(old.length << 1);
        for (long entry : old) {
            if (entry != 0) {
                insert(entry);
            }
        }
    }

    /** Returns the place of an order's entry if no other entry has it. */
    int home(int broker, long clOrdId) {
        return home(tag(broker, clOrdId));
    }

    /** The hash of the run; in place of its last bits, which choose no place, those of the id. */
    private int tag(int broker, long clOrdId) {
        long run = (clOrdId >>> RUN_BITS) + broker * brokerFactor;
        return (int) (run * multiplier >>> 32) & ~RUN_MASK | (int) clOrdId & RUN_MASK;
    }

    private int home(int tag) {
        return tag >>> shift & ~RUN_MASK | tag & RUN_MASK;
    }
}
