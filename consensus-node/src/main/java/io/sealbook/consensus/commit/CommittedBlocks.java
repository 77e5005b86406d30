package io.sealbook.consensus.commit;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.pbft.Digest;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The committed blocks as readers see them: the latest from memory, older ones from the archive, and in which block a recent batch
 * stands. Written by the committer; read by any thread.
 */
public final class CommittedBlocks {
    /** Blocks are read by followers within a second, or seldom: more would outlive the young generation and be collected dearly. */
    private static final long CACHED_BYTES_MAX = 8L << 20;

    private static final int CACHED_BLOCKS_MAX = 64;
    /** So many blocks back a batch is found by its id alone. */
    public static final int INDEXED_BLOCKS_MAX = 2_048;

    private final BlockArchive archive;
    private final Map<Long, Block> cache = new ConcurrentHashMap<>();
    private final Map<Digest, Long> sequences = new ConcurrentHashMap<>();
    private final ArrayDeque<Block> cached = new ArrayDeque<>();
    private final ArrayDeque<Digest[]> indexed = new ArrayDeque<>();
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long cachedBytes;
    private volatile long lastSequence;

    public CommittedBlocks(BlockArchive archive) {
        this.archive = archive;
        this.lastSequence = archive.lastSequence();
    }

    /** Adds something to run after each block, on the committer's thread; it must be short. */
    public void onCommitted(Runnable listener) {
        listeners.add(listener);
    }

    /** Notes a block that the archive holds already, found at start. */
    public void index(Block block) {
        Digest[] ids = new Digest[block.batchCount()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = Digest.of(block.batchId(i));
            sequences.put(ids[i], block.header().sequence());
        }
        indexed.add(ids);
        if (indexed.size() > INDEXED_BLOCKS_MAX) {
            for (Digest id : indexed.remove()) {
                sequences.remove(id);
            }
        }
    }

    /** Publishes a block that is in the archive now. */
    void publish(Block block) {
        index(block);
        cache.put(block.header().sequence(), block);
        cached.add(block);
        cachedBytes += block.length();
        while (cached.size() > CACHED_BLOCKS_MAX || cachedBytes > CACHED_BYTES_MAX && cached.size() > 1) {
            Block oldest = cached.remove();
            cachedBytes -= oldest.length();
            cache.remove(oldest.header().sequence());
        }
        lastSequence = block.header().sequence();
        listeners.forEach(Runnable::run);
    }

    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the first block that can be read; 1 unless the archive was cut. */
    public long firstSequence() {
        return archive.firstSequence();
    }

    /** Returns a block, if it is committed here and readable. */
    public Optional<Block> block(long sequence) {
        Block block = cache.get(sequence);
        if (block != null) {
            return Optional.of(block);
        }
        if (sequence < 1 || sequence > lastSequence) {
            return Optional.empty();
        }
        return archive.read(sequence).map(Block::wrap);
    }

    /** Returns the block of a batch among the last {@link #INDEXED_BLOCKS_MAX}. */
    public OptionalLong sequenceOf(Digest batchId) {
        Long sequence = sequences.get(batchId);
        return sequence == null ? OptionalLong.empty() : OptionalLong.of(sequence);
    }
}
