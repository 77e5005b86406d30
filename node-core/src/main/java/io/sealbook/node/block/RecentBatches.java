package io.sealbook.node.block;

import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * In which block a recent batch is, by its id. Batches come by tens of thousands per second and are looked for seldom:
 * so the ids of one part at a time are put, in a table that stays in the cache, and a whole part is forgotten at once.
 * Who looks for an id looks into every part, the newest first.
 *
 * <p>A part has 64 bits of each id, folded from products of its words, each blinded with a secret number. Two ids agree
 * in them about as seldom as two random numbers do; to compute ids that agree takes the secret numbers.
 *
 * <p>One thread.
 */
final class RecentBatches {
    /** Batches of a part, power of two: the first has few, each further one twice as many, up to this. */
    private static final int PART_BATCHES_MAX = 1 << 14;

    private static final int PART_BATCHES_MIN = 1 << 8;
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final int WORDS = Digest.LENGTH / Long.BYTES;

    private final int partsMax;
    private final long blocksMax;
    private final long[] secrets = new long[WORDS];
    private final long[] words = new long[WORDS];
    /** The oldest first; the last one is filled. */
    private final ArrayDeque<Part> parts = new ArrayDeque<>();

    private long lastSequence;

    /** An open-addressing table: 64 bits of an id, and its block; a free slot has block 0. */
    private static final class Part {
        private final int size;
        private final long[] tags;
        private final int[] blocks;
        private final int mask;
        private long base;
        private long last;
        private int count;

        private Part(int size) {
            this.size = size;
            tags = new long[2 * size];
            blocks = new int[2 * size];
            mask = 2 * size - 1;
        }

        private void begin(long firstSequence) {
            if (count > 0) {
                Arrays.fill(blocks, 0);
            }
            base = firstSequence - 1;
            count = 0;
        }

        private void put(long tag, long sequence) {
            int at = slot(tag);
            while (blocks[at] != 0 && tags[at] != tag) {
                at = at + 1 & mask;
            }
            tags[at] = tag;
            blocks[at] = (int) (sequence - base);
            last = sequence;
            count++;
        }

        /** Returns the block of an id, or 0. */
        private long get(long tag) {
            int at = slot(tag);
            while (blocks[at] != 0) {
                if (tags[at] == tag) {
                    return base + blocks[at];
                }
                at = at + 1 & mask;
            }
            return 0;
        }

        /** The upper bits depend on all others. */
        private int slot(long tag) {
            return (int) (tag >>> Integer.SIZE) & mask;
        }
    }

    /**
     * @param batchesMax batches that are found at most, in multiples of 16,384; fewer are when a part has just begun
     * @param blocksMax number of the last blocks whose batches are found, 1..2^30
     * @param seed any number; a random one, so that no sender can choose ids that are taken for others
     */
    RecentBatches(int batchesMax, long blocksMax, long seed) {
        this.partsMax = batchesMax / PART_BATCHES_MAX;
        this.blocksMax = blocksMax;
        for (int i = 0; i < WORDS; i++) {
            secrets[i] = mixed(seed + (i + 1) * GOLDEN_GAMMA);
        }
    }

    /** SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
    private static long mixed(long value) {
        long first = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        long second = (first ^ first >>> 27) * 0x94D049BB133111EBL;
        return second ^ second >>> 31;
    }

    /**
     * Puts a batch.
     *
     * @param batchId of the batch
     * @param sequence of its block, not below that of the batch before
     */
    void put(Digest batchId, long sequence) {
        if (partsMax == 0) {
            return;
        }
        lastSequence = sequence;
        Part part = parts.peekLast();
        if (part == null || part.count == part.size || sequence - part.base > blocksMax) {
            part = next();
            part.begin(sequence);
            parts.add(part);
        }
        part.put(tag(batchId), sequence);
    }

    /** Returns a part to be filled: the oldest, if it is not needed any more and of the size, else a new one. */
    private Part next() {
        Part oldest = parts.peekFirst();
        boolean isOver = oldest != null && (parts.size() == partsMax || oldest.last <= lastSequence - blocksMax);
        if (isOver) {
            parts.removeFirst();
        }
        int size = parts.isEmpty() ? PART_BATCHES_MIN : Math.min(PART_BATCHES_MAX, 2 * parts.peekLast().size);
        return isOver && oldest.size == size ? oldest : new Part(size);
    }

    /** Returns the block of a batch among the last ones. */
    OptionalLong sequenceOf(Digest batchId) {
        long tag = tag(batchId);
        for (Iterator<Part> newestFirst = parts.descendingIterator(); newestFirst.hasNext(); ) {
            long sequence = newestFirst.next().get(tag);
            if (sequence > lastSequence - blocksMax && sequence > 0) {
                return OptionalLong.of(sequence);
            }
        }
        return OptionalLong.empty();
    }

    private long tag(Digest batchId) {
        batchId.put(words, 0);
        long first = folded(words[0] ^ secrets[0], words[1] ^ secrets[1]);
        long second = folded(words[2] ^ secrets[2], words[3] ^ secrets[3]);
        return first + Long.rotateLeft(second, Integer.SIZE);
    }

    private static long folded(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
