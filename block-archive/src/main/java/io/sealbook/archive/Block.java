package io.sealbook.archive;

import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A block as it is agreed, archived and handed to the engine, read in place.
 *
 * <pre>
 *   offset          length  meaning (little-endian)
 *   0               144     header, see BlockHeader
 *   144             48 x n  batch table, one entry a batch:
 *                             0   32  batch id
 *                             32  8   the block's time, nanoseconds since 1970
 *                             40  4   offset of the signed batch from the block's first byte
 *                             44  4   length of the signed batch, at least 1
 *   144 + 48 n      ...     signed batches one after another without gap; the last one ends the block
 * </pre>
 *
 * The structure is checked when a block is wrapped; that the batch ids lead to the Merkle root is asked by
 * {@link #hasMerkleRoot()}, that they are the hashes of the batches is for those who know how a batch is signed. The
 * bytes are not copied and must not be changed while the block is in use. Any thread may read.
 */
public final class Block {
    /** Largest number of batches in a block. */
    public static final int BATCH_COUNT_MAX = 65_536;
    /** Largest block in bytes: 500 batches of 1,024 orders are 25 MB. */
    public static final int LENGTH_MAX = 64 << 20;

    static final int TABLE_ENTRY_LENGTH = 48;
    static final int ARRIVAL_TIME_OFFSET = 32;
    static final int BATCH_OFFSET_OFFSET = 40;
    static final int BATCH_LENGTH_OFFSET = 44;

    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final ByteBuffer buffer;
    private final BlockHeader header;
    /** The Merkle root was computed from these very bytes. */
    private final boolean isBuilt;

    private enum Administration {
        UNKNOWN,
        NONE,
        SOME
    }

    /** Found by whichever thread asks first; another one finds the same. */
    private Administration administration = Administration.UNKNOWN;

    private Block(byte[] bytes, int offset, int length, BlockHeader header, boolean isBuilt) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.header = header;
        this.isBuilt = isBuilt;
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Wraps a whole array; see {@link #wrap(byte[], int, int)}. */
    public static Block wrap(byte[] bytes) {
        return wrap(bytes, 0, bytes.length);
    }

    /**
     * Wraps a block and checks its structure: header, table, and that the batches fill the block to its last byte.
     *
     * @param bytes hold the block; not copied, and must not change while the block is in use
     * @param offset of the block's first byte
     * @param length bytes of the block, 144..{@value #LENGTH_MAX}
     * @throws MalformedBlockException if the bytes are no block
     */
    public static Block wrap(byte[] bytes, int offset, int length) {
        if (offset < 0 || length < BlockHeader.LENGTH || length > LENGTH_MAX || length > bytes.length - offset) {
            throw new MalformedBlockException("length " + length + " at " + offset + " of " + bytes.length
                    + " bytes, expected " + BlockHeader.LENGTH + ".." + LENGTH_MAX);
        }
        Block block = new Block(bytes, offset, length, BlockHeader.decode(bytes, offset), false);
        block.checkTable();
        return block;
    }

    /** Wraps what a builder has made from this header: nothing is decoded or checked again. */
    static Block wrapBuilt(byte[] bytes, BlockHeader header) {
        return new Block(bytes, 0, bytes.length, header, true);
    }

    private void checkTable() {
        long end = BlockHeader.LENGTH + (long) batchCount() * TABLE_ENTRY_LENGTH;
        if (end > length) {
            throw new MalformedBlockException(
                    batchCount() + " batches need a table up to " + end + ", block ends at " + length);
        }
        for (int i = 0; i < batchCount(); i++) {
            int entry = entryOffset(i);
            int batchOffset = buffer.getInt(entry + BATCH_OFFSET_OFFSET);
            int batchLength = buffer.getInt(entry + BATCH_LENGTH_OFFSET);
            if (batchOffset != end || batchLength < 1 || batchLength > length - end) {
                throw new MalformedBlockException("batch " + i + " at " + batchOffset + " of length " + batchLength
                        + ", expected at " + end + " and to end by " + length);
            }
            end += batchLength;
        }
        if (end != length) {
            throw new MalformedBlockException("batches end at " + end + ", block at " + length);
        }
    }

    public BlockHeader header() {
        return header;
    }

    /** Returns the block's hash: SHA-256 of its header. */
    public Digest hash() {
        return header.hash();
    }

    /**
     * Returns whether the batch ids of the table lead to the header's Merkle root; costs two short SHA-256 a batch, or
     * nothing for a block that a builder has just made.
     */
    public boolean hasMerkleRoot() {
        if (isBuilt) {
            return true;
        }
        return MerkleTree.root(bytes, offset + BlockHeader.LENGTH, TABLE_ENTRY_LENGTH, batchCount())
                .equals(header.merkleRoot());
    }

    /**
     * Returns whether the time beside each batch is the block's, as whoever builds a block writes it. No hash covers
     * these times: another one is a forgery, though everything else about the block is right.
     */
    public boolean hasItsTimes() {
        for (int i = 0; i < batchCount(); i++) {
            if (arrivalTimeNs(i) != header.blockTimeNs()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the last block, up to and including this one, that holds administrative batches; 0 if none does. It is
     * the administration block of the header that follows.
     */
    public long lastAdministrationBlock() {
        return hasAdministration() ? header.sequence() : header.administrationBlock();
    }

    /** Returns whether this block holds administrative batches. The first call reads the header of each batch. */
    public boolean hasAdministration() {
        Administration found = administration;
        if (found == Administration.UNKNOWN) {
            found = Administration.NONE;
            BatchView view = new BatchView();
            for (int i = 0; i < batchCount() && found == Administration.NONE; i++) {
                found = isAdministrative(view, i) ? Administration.SOME : Administration.NONE;
            }
            administration = found;
        }
        return found == Administration.SOME;
    }

    private boolean isAdministrative(BatchView view, int i) {
        return batchLength(i) >= SignedBatch.signedLength(0)
                && view.wrap(bytes, batchOffset(i), batchLength(i)).isAdministrative();
    }

    public int batchCount() {
        return header.batchCount();
    }

    /** Returns the id of batch {@code i}. */
    public Digest batchId(int i) {
        return Digest.of(bytes, batchIdOffset(i));
    }

    /** Returns the ids of all batches, in their order; the list is the caller's. */
    public List<Digest> batchIds() {
        List<Digest> ids = new ArrayList<>(batchCount());
        for (int i = 0; i < batchCount(); i++) {
            ids.add(batchId(i));
        }
        return ids;
    }

    /** Returns where the id of batch {@code i} begins, in the array of {@link #array()}. */
    public int batchIdOffset(int i) {
        return entryOffset(i);
    }

    /** Returns the time beside batch {@code i}, nanoseconds since 1970: the block's. */
    public long arrivalTimeNs(int i) {
        return buffer.getLong(entryOffset(i) + ARRIVAL_TIME_OFFSET);
    }

    /** Returns where signed batch {@code i} begins, in the array of {@link #array()}. */
    public int batchOffset(int i) {
        return offset + buffer.getInt(entryOffset(i) + BATCH_OFFSET_OFFSET);
    }

    /** Returns the bytes of signed batch {@code i}. */
    public int batchLength(int i) {
        return buffer.getInt(entryOffset(i) + BATCH_LENGTH_OFFSET);
    }

    /** Returns the array that was wrapped, not copied; the block begins at {@link #offset()}. */
    public byte[] array() {
        return bytes;
    }

    /** Returns where the block begins in {@link #array()}. */
    public int offset() {
        return offset;
    }

    /** Returns the block's bytes. */
    public int length() {
        return length;
    }

    /** Returns exactly the block's bytes: the wrapped array itself when the block fills it, else a copy. */
    public byte[] bytes() {
        return offset == 0 && length == bytes.length ? bytes : Arrays.copyOfRange(bytes, offset, offset + length);
    }

    private int entryOffset(int i) {
        if (i < 0 || i >= header.batchCount()) {
            throw new IndexOutOfBoundsException("batch " + i + " of " + header.batchCount());
        }
        return offset + BlockHeader.LENGTH + i * TABLE_ENTRY_LENGTH;
    }
}
