package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes blocks: begin, add each batch in the agreed order, build. Reusable; its buffers grow to the largest block and
 * stay. One thread at a time.
 */
public final class BlockBuilder {
    private static final int INITIAL_BATCHES = 512;

    private byte[] table = new byte[INITIAL_BATCHES * Block.TABLE_ENTRY_LENGTH];
    private byte[] batches = new byte[INITIAL_BATCHES * 256];
    private boolean hasBegun;
    private int batchCount;
    private int batchesLength;
    private long sequence;
    private long view;
    private long blockTimeNs;
    private Digest proposalDigest;
    private Digest previousHash;
    private long administrationBlock;

    /**
     * Starts a block of a chain without administrative batches so far; see {@link #begin(long, long, long, Digest,
     * Digest, long)}.
     *
     * @param sequence 1 or more
     * @param view in which the block was first proposed, 0 or more
     * @param blockTimeNs nanoseconds since 1970, not below the previous block's
     * @param proposalDigest that the replicas agreed on
     * @param previousHash hash of the block before; the genesis digest for block 1
     */
    public BlockBuilder begin(long sequence, long view, long blockTimeNs, Digest proposalDigest, Digest previousHash) {
        return begin(sequence, view, blockTimeNs, proposalDigest, previousHash, 0);
    }

    /**
     * Starts a block; what was added since the last {@link #build()} is forgotten.
     *
     * @param sequence 1 or more
     * @param view in which the block was first proposed, 0 or more
     * @param blockTimeNs nanoseconds since 1970, not below the previous block's
     * @param proposalDigest that the replicas agreed on
     * @param previousHash hash of the block before; the genesis digest for block 1
     * @param administrationBlock {@link Block#lastAdministrationBlock} of the block before; 0 for block 1
     */
    public BlockBuilder begin(
            long sequence,
            long view,
            long blockTimeNs,
            Digest proposalDigest,
            Digest previousHash,
            long administrationBlock) {
        this.sequence = sequence;
        this.view = view;
        this.blockTimeNs = blockTimeNs;
        this.proposalDigest = proposalDigest;
        this.previousHash = previousHash;
        this.administrationBlock = administrationBlock;
        this.batchCount = 0;
        this.batchesLength = 0;
        this.hasBegun = true;
        return this;
    }

    /**
     * Appends a batch; its bytes are copied.
     *
     * @param batchId of the batch, not checked
     * @param arrivalTimeNs the block's time, nanoseconds since 1970
     * @param signedBatch holds the batch
     * @param offset of the batch's first byte
     * @param length bytes of the batch with its signature, 1 or more
     * @throws IllegalArgumentException if the block would exceed {@link Block#BATCH_COUNT_MAX} or
     *     {@link Block#LENGTH_MAX}; it stays as it was then
     */
    public BlockBuilder add(Digest batchId, long arrivalTimeNs, byte[] signedBatch, int offset, int length) {
        checkBegun();
        if (length < 1
                || batchCount == Block.BATCH_COUNT_MAX
                || length > Block.LENGTH_MAX - blockLength(batchCount + 1)) {
            throw new IllegalArgumentException("batch of " + length + " bytes does not fit beside " + batchCount
                    + " batches of " + batchesLength + " bytes");
        }
        table = ensureCapacity(table, (batchCount + 1) * Block.TABLE_ENTRY_LENGTH);
        batches = ensureCapacity(batches, batchesLength + length);
        System.arraycopy(signedBatch, offset, batches, batchesLength, length);
        int entry = batchCount * Block.TABLE_ENTRY_LENGTH;
        batchId.write(table, entry);
        ByteBuffer buffer = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(entry + Block.ARRIVAL_TIME_OFFSET, arrivalTimeNs);
        // Relative to the first batch until the size of the table is known.
        buffer.putInt(entry + Block.BATCH_OFFSET_OFFSET, batchesLength);
        buffer.putInt(entry + Block.BATCH_LENGTH_OFFSET, length);
        batchCount++;
        batchesLength += length;
        return this;
    }

    /** Returns the bytes of the block, which are the caller's; {@link #begin} comes next. */
    public byte[] build() {
        return buildBlock().bytes();
    }

    /** Returns the block, whose Merkle root need not be computed again; {@link #begin} comes next. */
    public Block buildBlock() {
        checkBegun();
        Digest root = MerkleTree.root(table, 0, Block.TABLE_ENTRY_LENGTH, batchCount);
        BlockHeader header = new BlockHeader(
                sequence, view, blockTimeNs, batchCount, root, proposalDigest, previousHash, administrationBlock);
        int tableLength = batchCount * Block.TABLE_ENTRY_LENGTH;
        byte[] block = new byte[blockLength(batchCount)];
        header.encode(block, 0);
        System.arraycopy(table, 0, block, BlockHeader.LENGTH, tableLength);
        System.arraycopy(batches, 0, block, BlockHeader.LENGTH + tableLength, batchesLength);
        shiftOffsets(block, BlockHeader.LENGTH + tableLength);
        hasBegun = false;
        return Block.wrapBuilt(block, header);
    }

    private void shiftOffsets(byte[] block, int firstBatch) {
        ByteBuffer buffer = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < batchCount; i++) {
            int at = BlockHeader.LENGTH + i * Block.TABLE_ENTRY_LENGTH + Block.BATCH_OFFSET_OFFSET;
            buffer.putInt(at, firstBatch + buffer.getInt(at));
        }
    }

    private int blockLength(int batchCount) {
        return BlockHeader.LENGTH + batchCount * Block.TABLE_ENTRY_LENGTH + batchesLength;
    }

    private void checkBegun() {
        if (!hasBegun) {
            throw new IllegalStateException("begin comes before add and build");
        }
    }

    private static byte[] ensureCapacity(byte[] array, int capacity) {
        return capacity <= array.length ? array : Arrays.copyOf(array, Math.max(capacity, 2 * array.length));
    }
}
