package io.sealbook.matching.book;

/**
 * A part of the {@link OrderIndex}: the entries whose tags begin with the same bits, by open addressing with linear
 * probing from the place that the last bits of the tag name. Removal shifts followers back, so nothing decays.
 *
 * <pre>
 *   entry  tag (high 32 bits), slot (low 32 bits); 0 is free, because no order has slot 0
 * </pre>
 */
final class IndexSegment {
    static final int LENGTH_BITS = 14;

    /** Leading bits of the tag that all entries share. */
    final int sharedBits;

    private long[] entries;
    private int count;

    IndexSegment(int sharedBits) {
        this.sharedBits = sharedBits;
        this.entries = new long[1 << LENGTH_BITS];
    }

    /** Returns whether one more entry would make probing long: the segment is three eighths full. */
    boolean isFull() {
        return count == entries.length / 8 * 3;
    }

    /** Returns the place where the search for a tag begins; it goes on at {@link #after}. */
    int home(int tag) {
        return tag & entries.length - 1;
    }

    int after(int place) {
        return place + 1 & entries.length - 1;
    }

    long entry(int place) {
        return entries[place];
    }

    /** Adds an entry; the segment has room for it. */
    void add(long entry) {
        int place = home((int) (entry >>> 32));
        while (entries[place] != 0) {
            place = after(place);
        }
        entries[place] = entry;
        count++;
    }

    /** Removes an entry that is in it. */
    void remove(int tag, int slot) {
        long[] e = entries;
        int mask = e.length - 1;
        int hole = tag & mask;
        while ((int) e[hole] != slot) {
            hole = hole + 1 & mask;
        }
        for (int i = hole + 1 & mask; e[i] != 0; i = i + 1 & mask) {
            int home = (int) (e[i] >>> 32) & mask;
            if ((i - home & mask) >= (i - hole & mask)) {
                e[hole] = e[i];
                hole = i;
            }
        }
        e[hole] = 0;
        count--;
    }

    /**
     * Copies every entry to one of two new segments, by the first bit of the tag that is not shared.
     *
     * @param zeros takes those with a 0 there
     * @param ones takes those with a 1 there
     */
    void split(IndexSegment zeros, IndexSegment ones) {
        int bit = Integer.MIN_VALUE >>> sharedBits;
        for (long entry : entries) {
            if (entry != 0) {
                IndexSegment half = ((int) (entry >>> 32) & bit) == 0 ? zeros : ones;
                half.add(entry);
            }
        }
    }

    /** Doubles its length. */
    void lengthen() {
        long[] old = entries;
        entries = new long[2 * old.length];
        count = 0;
        for (long entry : old) {
            if (entry != 0) {
                add(entry);
            }
        }
    }
}
