package io.sealbook.node.payload;

/**
 * The nonces of one broker in a table with open addressing and linear probing, at most five eighths full. The last
 * block of a nonce and a word that tells its batch stand beside it, so that a look-up misses the processor's cache
 * once, not once for each of them.
 *
 * <p>Eight successive nonces have successive homes behind a place that a keyed hash chooses: where a broker counts its
 * nonces up, most look-ups find the cache line of the one before. A broker chooses its nonces, but without the key it
 * cannot make them collide.
 *
 * <p>To forget is to note a block. What was valid until then is missing at once; its places are swept when the table
 * has too few left, before it grows. At least an eighth of all places are taken between two such sweeps, which makes
 * them a constant for each nonce. Of a broker at its limit {@link #isFull} sweeps, too, once for each block noted.
 *
 * <p>A place has 24 bytes. With 2^20 nonces there are 2^21 places.
 *
 * <p>A nonce is addressed by the place that {@link #find} returns, until the table changes. One thread at a time.
 */
final class NonceTable {
    private static final int INITIAL_CAPACITY = 64;

    /** A place is three words: nonce, last block, batch. */
    private static final int WORDS = 3;

    private static final int LAST_BLOCK = 1;
    private static final int BATCH = 2;

    /** Instead of a last block, which is above 0. */
    private static final long EMPTY = 0;

    private static final long RELEASED = -1;

    private static final int RUN_BITS = 3;
    private static final int RUN_MASK = (1 << RUN_BITS) - 1;

    private final long key;
    private long[] words = new long[INITIAL_CAPACITY * WORDS];
    private int mask = INITIAL_CAPACITY - 1;
    /** Places that are not empty. */
    private int used;
    /** Those of them that are not released; the forgotten ones among them are counted until they are swept. */
    private int held;

    private long forgottenUntil;
    private long sweptUntil;

    /** @param key any number; a random one, so that no sender can choose nonces that collide */
    NonceTable(long key) {
        this.key = key;
    }

    /** Returns the place of the nonce, or the place that it would take. */
    int find(long nonce) {
        int at = home(nonce);
        while (words[at + LAST_BLOCK] != EMPTY && words[at] != nonce) {
            at = next(at);
        }
        return at;
    }

    /** Returns whether the place holds a nonce that is neither released nor forgotten. */
    boolean isTaken(int at) {
        return words[at + LAST_BLOCK] > forgottenUntil;
    }

    /** Returns the word of the batch that took the nonce there. */
    long batch(int at) {
        return words[at + BATCH];
    }

    /**
     * Returns whether so many nonces are taken; costs a sweep if it is the first time since {@link #forgetUntil} that
     * it looks so.
     */
    boolean isFull(int countMax) {
        if (held >= countMax && sweptUntil != forgottenUntil) {
            sweep();
        }
        return held >= countMax;
    }

    /**
     * Puts a nonce, or puts it anew.
     *
     * @param lastBlock to be forgotten with this block; if that one is forgotten already, with the next
     */
    void put(long nonce, long lastBlock, long batch) {
        int at = find(nonce);
        if (words[at + LAST_BLOCK] == EMPTY) {
            used++;
            held++;
        } else if (words[at + LAST_BLOCK] == RELEASED) {
            held++;
        }
        set(at, nonce, Math.max(lastBlock, forgottenUntil + 1), batch);
        if (used > limit()) {
            makeRoom();
        }
    }

    /** Releases the nonce of that place. */
    void release(int at) {
        words[at + LAST_BLOCK] = RELEASED;
        held--;
    }

    /** Forgets the nonces whose last block is this one or an earlier one. */
    void forgetUntil(long block) {
        forgottenUntil = Math.max(forgottenUntil, block);
    }

    /** Returns how many nonces are taken or forgotten since the last sweep. */
    int heldCount() {
        return held;
    }

    /** Returns how many places there are, taken or not; three words each. */
    int capacity() {
        return mask + 1;
    }

    /**
     * Returns how many places lie between a nonce and the place that it hashes to, at most; for the check that they are
     * few.
     */
    int farthest() {
        int farthest = 0;
        for (int at = 0; at < words.length; at += WORDS) {
            if (words[at + LAST_BLOCK] != EMPTY) {
                farthest = Math.max(farthest, (at - home(words[at])) / WORDS & mask);
            }
        }
        return farthest;
    }

    private int limit() {
        return capacity() / 8 * 5;
    }

    private void makeRoom() {
        sweep();
        if (used > limit() - capacity() / 8) {
            grow();
        }
    }

    /**
     * Empties the places of what is released or forgotten. Begins behind an empty place and takes out one nonce after
     * another: between its home and the place it left, everything was taken out and put back before, so it finds a
     * place there.
     */
    private void sweep() {
        int start = 0;
        while (words[start + LAST_BLOCK] != EMPTY) {
            start = next(start);
        }
        used = 0;
        for (int at = next(start); at != start; at = next(at)) {
            long lastBlock = words[at + LAST_BLOCK];
            if (lastBlock == EMPTY) {
                continue;
            }
            words[at + LAST_BLOCK] = EMPTY;
            if (lastBlock > forgottenUntil) {
                set(find(words[at]), words[at], lastBlock, words[at + BATCH]);
                used++;
            }
        }
        held = used;
        sweptUntil = forgottenUntil;
    }

    /** Doubles the places. */
    private void grow() {
        long[] old = words;
        words = new long[2 * old.length];
        mask = 2 * mask + 1;
        for (int at = 0; at < old.length; at += WORDS) {
            if (old[at + LAST_BLOCK] != EMPTY) {
                set(find(old[at]), old[at], old[at + LAST_BLOCK], old[at + BATCH]);
            }
        }
    }

    private void set(int at, long nonce, long lastBlock, long batch) {
        words[at] = nonce;
        words[at + LAST_BLOCK] = lastBlock;
        words[at + BATCH] = batch;
    }

    private int next(int at) {
        return at + WORDS == words.length ? 0 : at + WORDS;
    }

    private int home(long nonce) {
        return ((int) (mix(nonce >>> RUN_BITS ^ key) >>> 32) + (int) (nonce & RUN_MASK) & mask) * WORDS;
    }

    /** MurmurHash3's 64-bit finalizer without its last step, which does not reach the upper half. */
    private static long mix(long word) {
        long h = (word ^ word >>> 33) * 0xFF51AFD7ED558CCDL;
        return (h ^ h >>> 33) * 0xC4CEB9FE1A85EC53L;
    }
}
