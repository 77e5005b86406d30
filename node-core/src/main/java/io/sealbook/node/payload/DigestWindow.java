package io.sealbook.node.payload;

import io.sealbook.vocabulary.Digest;

/**
 * The digests put last, each with a number; one beyond the greatest count removes the oldest. A removed digest counts
 * until the older ones are gone. It is for the ids of hundreds of thousands of batches, which come and go by thousands
 * per second: neither digests nor numbers are objects here, so that a garbage collector has nothing to copy and nothing
 * to follow.
 *
 * <p>Entries are in a ring in the order in which they were put. A table with open addressing and linear probing, at
 * most half full, finds them: an entry of it is the upper half of the digest's hash and the place in the ring plus 1.
 * The hash is multiply-shift; the seed chooses the multiplier, and nothing that is returned depends on it.
 *
 * <p>One thread.
 */
public final class DigestWindow {
    /** What an unknown digest has; no digest can be put with it. */
    public static final long MISSING = Long.MIN_VALUE;

    private static final int INITIAL_CAPACITY = 64;
    private static final int COUNT_MAX = 1 << 26;
    private static final int WORDS = Digest.LENGTH / Long.BYTES;

    private final int countMax;
    private final long multiplier;
    /** Four words an entry. */
    private long[] digests = new long[INITIAL_CAPACITY * WORDS];
    /** {@link #MISSING} where an entry was removed before its time. */
    private long[] values = new long[INITIAL_CAPACITY];

    private long[] table = new long[2 * INITIAL_CAPACITY];
    private int first;
    /** Places of the ring in use, removed entries included. */
    private int used;

    private int count;

    /**
     * @param countMax 0..67,108,864; memory grows with the most digests that were there: 56 bytes each, at most twice
     *     as much
     * @param hashSeed any number; a random one, so that no client can choose digests that collide
     */
    public DigestWindow(int countMax, long hashSeed) {
        if (countMax < 0 || countMax > COUNT_MAX) {
            throw new IllegalArgumentException("count " + countMax + " is not 0.." + COUNT_MAX);
        }
        this.countMax = countMax;
        this.multiplier = hashSeed | 1;
    }

    /** Returns the number of digests held. */
    public int count() {
        return count;
    }

    /** Returns the number of a digest, or {@link #MISSING}. */
    public long get(Digest digest) {
        int at = find(digest);
        return table[at] == 0 ? MISSING : values[place(table[at])];
    }

    public boolean contains(Digest digest) {
        return table[find(digest)] != 0;
    }

    /**
     * Puts a digest that is not there.
     *
     * @param digest copied
     * @param value any number except {@link #MISSING}
     * @return false if it is there already; its number and its age stay
     */
    public boolean putIfAbsent(Digest digest, long value) {
        if (value == MISSING) {
            throw new IllegalArgumentException("value " + value + " means a missing digest");
        }
        if (contains(digest)) {
            return false;
        }
        if (countMax == 0) {
            return true;
        }
        if (used == countMax) {
            removeOldest();
        }
        if (used == values.length) {
            grow();
        }
        int place = first + used & values.length - 1;
        digest.put(digests, place * WORDS);
        values[place] = value;
        insert((long) tag(digest) << 32 | place + 1);
        used++;
        count++;
        return true;
    }

    /** Removes a digest; returns whether it was there. */
    public boolean remove(Digest digest) {
        int at = find(digest);
        if (table[at] == 0) {
            return false;
        }
        values[place(table[at])] = MISSING;
        removeFromTable(at);
        count--;
        skipRemoved();
        return true;
    }

    /** Returns the number of the oldest digest, or {@link #MISSING} when there is none. */
    public long oldestValue() {
        return used == 0 ? MISSING : values[first];
    }

    /** Removes the oldest digest, if there is one. */
    public void removeOldest() {
        if (used == 0) {
            return;
        }
        int at = home(tag(digests, first));
        while (place(table[at]) != first) {
            at = next(at);
        }
        removeFromTable(at);
        count--;
        leaveFirst();
        skipRemoved();
    }

    /** The oldest entry is never a removed one. */
    private void skipRemoved() {
        while (used > 0 && values[first] == MISSING) {
            leaveFirst();
        }
    }

    private void leaveFirst() {
        first = first + 1 & values.length - 1;
        used--;
    }

    /** Returns the place of the digest in the table, or the empty place where it belongs. */
    private int find(Digest digest) {
        int tag = tag(digest);
        int at = home(tag);
        while (table[at] != 0 && !((int) (table[at] >>> 32) == tag && digest.isAt(digests, place(table[at]) * WORDS))) {
            at = next(at);
        }
        return at;
    }

    private void insert(long entry) {
        int at = home((int) (entry >>> 32));
        while (table[at] != 0) {
            at = next(at);
        }
        table[at] = entry;
    }

    /** Shifts followers back, so that no place is lost. */
    private void removeFromTable(int removed) {
        int mask = table.length - 1;
        int hole = removed;
        for (int at = next(hole); table[at] != 0; at = next(at)) {
            int home = home((int) (table[at] >>> 32));
            if ((at - home & mask) >= (at - hole & mask)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = 0;
    }

    private void grow() {
        long[] oldDigests = digests;
        long[] oldValues = values;
        int mask = oldValues.length - 1;
        digests = new long[2 * oldDigests.length];
        values = new long[2 * oldValues.length];
        table = new long[2 * table.length];
        for (int i = 0; i < used; i++) {
            int old = first + i & mask;
            System.arraycopy(oldDigests, old * WORDS, digests, i * WORDS, WORDS);
            values[i] = oldValues[old];
            if (values[i] != MISSING) {
                insert((long) tag(digests, i) << 32 | i + 1);
            }
        }
        first = 0;
    }

    private static int place(long entry) {
        return (int) entry - 1;
    }

    private int next(int at) {
        return at + 1 & table.length - 1;
    }

    private int home(int tag) {
        return tag >>> Integer.numberOfLeadingZeros(table.length - 1);
    }

    private int tag(Digest digest) {
        return (int) (digest.fold() * multiplier >>> 32);
    }

    private int tag(long[] from, int place) {
        return (int) (Digest.fold(from, place * WORDS) * multiplier >>> 32);
    }
}
