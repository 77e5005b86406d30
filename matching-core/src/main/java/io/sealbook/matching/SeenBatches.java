package io.sealbook.matching;

import java.util.Arrays;

/**
 * The numbers of executed batches in their sessions, each remembered until its last valid block has passed. Entries are
 * chained per last valid block in the order seen; a ring over the validity window finds the chain to forget when a
 * block begins.
 *
 * <p>The table is at most a quarter full. Eight successive numbers, a run, have the eight places that a hash chooses,
 * so that most look-ups find the cache line of the one before.
 *
 * <p>The window is the blocks {@code first .. first + validityBlocksMax}, where first is the current block.
 */
final class SeenBatches {
    /** No entry. */
    static final int NONE = 0;

    private static final long LOW = 0xFFFF_FFFFL;
    private static final int RUN_BITS = 3;
    private static final int RUN_MASK = (1 << RUN_BITS) - 1;

    private final int countMax;
    private final long seed;
    private final int[] heads;
    private final int[] tails;
    /** Entries count from 1. */
    private long[] numbers;

    private int[] sessions;
    private int[] next;
    private long[] table;
    private int mask;
    private int firstFree = NONE;
    private int used;
    private int count;

    SeenBatches(long validityBlocksMax, int countMax, long seed) {
        this.countMax = countMax;
        this.seed = seed;
        this.heads = new int[(int) validityBlocksMax + 1];
        this.tails = new int[(int) validityBlocksMax + 1];
        int capacity = 1 << 10;
        this.numbers = new long[capacity];
        this.sessions = new int[capacity];
        this.next = new int[capacity];
        this.table = new long[4 * capacity];
        this.mask = table.length - 1;
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == countMax;
    }

    boolean contains(int session, long number) {
        int tag = tag(session, number);
        for (int i = tag & mask; table[i] != 0; i = i + 1 & mask) {
            if ((int) (table[i] >>> 32) == tag) {
                int entry = (int) table[i];
                if (numbers[entry] == number && sessions[entry] == session) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Remembers a pair that is not in it; the caller has checked {@link #isFull} and that the block is in the window.
     */
    void add(int session, long number, long validUntilBlock) {
        int entry = firstFree;
        if (entry == NONE) {
            entry = ++used;
            if (entry == numbers.length) {
                grow();
            }
        } else {
            firstFree = next[entry];
        }
        count++;
        numbers[entry] = number;
        sessions[entry] = session;
        next[entry] = NONE;
        int bucket = bucket(validUntilBlock);
        if (heads[bucket] == NONE) {
            heads[bucket] = entry;
        } else {
            next[tails[bucket]] = entry;
        }
        tails[bucket] = entry;
        insert((long) tag(session, number) << 32 | entry);
    }

    /** Forgets the batches whose last valid block is {@code block}; called once per block, in order. */
    void forget(long block) {
        int bucket = bucket(block);
        int entry = heads[bucket];
        heads[bucket] = NONE;
        tails[bucket] = NONE;
        while (entry != NONE) {
            int following = next[entry];
            remove(entry);
            next[entry] = firstFree;
            firstFree = entry;
            count--;
            entry = following;
        }
    }

    /** Returns the first entry that is valid until {@code block}, or {@link #NONE}. */
    int first(long block) {
        return heads[bucket(block)];
    }

    /** Returns the entry after this one in the order seen, or {@link #NONE}. */
    int next(int entry) {
        return next[entry];
    }

    long number(int entry) {
        return numbers[entry];
    }

    int session(int entry) {
        return sessions[entry];
    }

    private int bucket(long block) {
        return (int) (block % heads.length);
    }

    private void insert(long word) {
        int i = (int) (word >>> 32) & mask;
        while (table[i] != 0) {
            i = i + 1 & mask;
        }
        table[i] = word;
    }

    private void remove(int entry) {
        int hole = tag(sessions[entry], numbers[entry]) & mask;
        while ((int) table[hole] != entry) {
            hole = hole + 1 & mask;
        }
        for (int i = hole + 1 & mask; table[i] != 0; i = i + 1 & mask) {
            int home = (int) (table[i] >>> 32) & mask;
            if ((i - home & mask) >= (i - hole & mask)) {
                table[hole] = table[i];
                hole = i;
            }
        }
        table[hole] = 0;
    }

    private void grow() {
        int capacity = 2 * numbers.length;
        numbers = Arrays.copyOf(numbers, capacity);
        sessions = Arrays.copyOf(sessions, capacity);
        next = Arrays.copyOf(next, capacity);
        long[] old = table;
        table = new long[4 * capacity];
        mask = table.length - 1;
        for (long word : old) {
            if (word != 0) {
                insert(word);
            }
        }
    }

    /**
     * The upper half of MurmurHash3's 64-bit finalizer over session and run; in place of its last bits those of the
     * number.
     */
    private int tag(int session, long number) {
        long h = (number >>> RUN_BITS ^ seed) + (session & LOW) * 0x9E3779B97F4A7C15L;
        h = (h ^ h >>> 33) * 0xFF51AFD7ED558CCDL;
        h = (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
        return (int) (h >>> 32) & ~RUN_MASK | (int) number & RUN_MASK;
    }
}
