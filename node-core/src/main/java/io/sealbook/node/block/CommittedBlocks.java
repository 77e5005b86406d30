package io.sealbook.node.block;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The committed blocks as readers see them: the latest from memory, older ones from the archive, and in which block a
 * recent batch is. Written by the committer; read by any thread.
 */
public final class CommittedBlocks {
    /**
     * Blocks are read by followers within a second, or seldom: more would outlive the young generation and be collected
     * dearly.
     */
    private static final long CACHED_BYTES_MAX = 8L << 20;

    private static final int CACHED_BLOCKS_MAX = 64;
    /** The number of last blocks in which a batch is found by its id alone, unless they are very full. */
    public static final int INDEXED_BLOCKS_MAX = 2_048;

    private static final int INDEXED_BATCHES_MAX = 1 << 20;

    private final BlockArchive archive;
    private final HeaderDecoding decoding;
    private final Map<Long, DecodedBlock> cache = new ConcurrentHashMap<>();
    /** Recent batches and their blocks; its own lock. */
    private final RecentBatches sequences;

    private final ArrayDeque<DecodedBlock> cached = new ArrayDeque<>();
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long cachedBytes;
    private volatile long lastSequence;

    /**
     * @param archive the node's own
     * @param decoding what is kept of the headers of batches
     * @param hashSeed any number; a random one, so that no sender can choose ids that collide
     */
    public CommittedBlocks(BlockArchive archive, HeaderDecoding decoding, long hashSeed) {
        this(archive, decoding, hashSeed, INDEXED_BATCHES_MAX);
    }

    /**
     * @param archive the node's own
     * @param decoding what is kept of the headers of batches
     * @param hashSeed any number; a random one, so that no sender can choose ids that collide
     * @param indexedBatchesMax the number of last batches that are found by their id alone
     */
    public CommittedBlocks(BlockArchive archive, HeaderDecoding decoding, long hashSeed, int indexedBatchesMax) {
        this.archive = archive;
        this.decoding = decoding;
        this.sequences = new RecentBatches(indexedBatchesMax, INDEXED_BLOCKS_MAX, hashSeed);
        this.lastSequence = archive.lastSequence();
    }

    /** Adds something to run after each block, on the committer's thread; it must be short. */
    public void onCommitted(Runnable listener) {
        listeners.add(listener);
    }

    /** Notes a block that the archive holds already, found at start. */
    public void index(Block block) {
        long sequence = block.header().sequence();
        synchronized (sequences) {
            for (int i = 0; i < block.batchCount(); i++) {
                sequences.put(block.batchId(i), sequence);
            }
        }
    }

    /** Publishes a block that is in the archive now. */
    public void publish(DecodedBlock block) {
        index(block.block());
        cache.put(block.header().sequence(), block);
        cached.add(block);
        cachedBytes += block.heldBytes();
        while (cached.size() > CACHED_BLOCKS_MAX || cachedBytes > CACHED_BYTES_MAX && cached.size() > 1) {
            DecodedBlock oldest = cached.remove();
            cachedBytes -= oldest.heldBytes();
            cache.remove(oldest.header().sequence());
        }
        lastSequence = block.header().sequence();
        listeners.forEach(Runnable::run);
    }

    /** Publishes a block that is in the archive now and whose headers no stage has decoded. */
    public void publish(Block block) {
        publish(decoding.fromArchive(block));
    }

    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the first block that can be read; 1 unless the archive was cut. */
    public long firstSequence() {
        return archive.firstSequence();
    }

    /** Returns whether a block can be had without a read of the archive. */
    public boolean isInMemory(long sequence) {
        return cache.containsKey(sequence);
    }

    /**
     * Returns a block, if it is committed here and readable.
     *
     * @throws BlockDamagedException if the disk has changed it
     */
    public Optional<Block> block(long sequence) {
        return decodedBlock(sequence).map(DecodedBlock::block);
    }

    /**
     * Returns a block, if it is committed here and its bytes are those that were written. The archive repairs one that
     * the disk has changed; until then it is not here.
     */
    public Optional<Block> wholeBlock(long sequence) {
        try {
            return block(sequence);
        } catch (BlockDamagedException e) {
            return Optional.empty();
        }
    }

    /** Returns a block with the headers of its batches, if it is committed here and readable. */
    public Optional<DecodedBlock> decodedBlock(long sequence) {
        DecodedBlock block = cache.get(sequence);
        if (block != null) {
            return Optional.of(block);
        }
        if (sequence < 1 || sequence > lastSequence) {
            return Optional.empty();
        }
        return archive.read(sequence).map(Block::wrap).map(decoding::fromArchive);
    }

    /** Returns the block of a batch among the last {@link #INDEXED_BLOCKS_MAX}, and the last million batches. */
    public OptionalLong sequenceOf(Digest batchId) {
        synchronized (sequences) {
            return sequences.sequenceOf(batchId);
        }
    }

    /**
     * Returns a batch of a block, with its signature.
     *
     * @param block block to look into
     * @param batchId id of the batch
     * @return the bytes of the batch, the caller's; empty if the block does not hold it
     */
    public static Optional<byte[]> signedBatch(Block block, Digest batchId) {
        OptionalInt index = InclusionProver.indexOf(block, batchId);
        if (index.isEmpty()) {
            return Optional.empty();
        }
        int offset = block.batchOffset(index.getAsInt());
        return Optional.of(Arrays.copyOfRange(block.array(), offset, offset + block.batchLength(index.getAsInt())));
    }
}
