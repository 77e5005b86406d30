package io.sealbook.node.transfer;

import io.sealbook.node.block.DecodedBlock;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The chain of a transfer after the blocks that are proven. Holds its first blocks up to a limit of bytes, and of all
 * others the hash: no peer fills the memory with blocks that nothing proves. When a certificate proves blocks that are
 * not held, they are fetched again, and each hash proves the block that comes. One thread.
 */
final class LinkedBlocks {
    /**
     * A block of the chain.
     *
     * @param hash of the block
     * @param source peer that sent it
     * @param heldOrNull null if there was no room; then there was none for those after it
     */
    record Linked(Digest hash, int source, DecodedBlock heldOrNull) {}

    /**
     * Counted for each block beside its bytes. The objects of the smallest block take about 700 bytes of heap: blocks
     * of few orders would otherwise fill it several times over before their bytes reach the limit.
     */
    static final int BYTES_PER_BLOCK = 1 << 10;

    private final long heldBytesMax;
    private final ArrayList<Linked> chain = new ArrayList<>();
    private long heldBytes;
    /** Hashes of blocks that are proven and were not held, by sequence. */
    private final TreeMap<Long, Digest> known = new TreeMap<>();

    /** @param heldBytesMax no further block is held once these are; 1 or more, so that the first one is */
    LinkedBlocks(long heldBytesMax) {
        this.heldBytesMax = heldBytesMax;
    }

    /** Returns the chain in order. */
    List<Linked> chain() {
        return chain;
    }

    long heldBytes() {
        return heldBytes;
    }

    /** Returns what a block counts for while it is held. */
    static long heldBytes(DecodedBlock block) {
        return block.heldBytes() + BYTES_PER_BLOCK;
    }

    /** Returns whether some blocks are not held. */
    boolean isCut() {
        return !chain.isEmpty() && chain.getLast().heldOrNull() == null;
    }

    /** Links the next block, which a peer has sent. */
    void add(DecodedBlock block, int source) {
        boolean isHeld = !isCut() && heldBytes < heldBytesMax;
        chain.add(new Linked(block.hash(), source, isHeld ? block : null));
        heldBytes += isHeld ? heldBytes(block) : 0;
    }

    /**
     * Takes the first blocks, which are proven, out of the chain.
     *
     * @param from sequence of the first one
     * @param count how many
     * @return those that are held, at least one
     */
    List<DecodedBlock> take(long from, int count) {
        List<DecodedBlock> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            DecodedBlock block = chain.get(i).heldOrNull();
            if (block == null) {
                known.put(from + i, chain.get(i).hash());
            } else {
                held.add(block);
                heldBytes -= heldBytes(block);
            }
        }
        chain.subList(0, count).clear();
        return held;
    }

    /**
     * Returns the last block up to one that is proven and comes again; null if there is none.
     *
     * @param after sequence of the last block that is proven and was held
     * @param end of the chain
     */
    Map.Entry<Long, Digest> known(long after, long end) {
        known.headMap(after, true).clear();
        return known.floorEntry(end);
    }

    /** Forgets the chain; what is proven stays. */
    void drop() {
        chain.clear();
        heldBytes = 0;
    }

    /** Forgets what is proven, too. */
    void clear() {
        drop();
        known.clear();
    }
}
