package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * What a block's hash covers. The previous hash ties the blocks to a chain, the Merkle root ties the batches to the
 * block, and the proposal digest ties the block to the agreement that made it. The administration block leads from any
 * block back to all changes of the consortium before it.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       magic "SBLK"
 *   4       2       version, 2
 *   6       2       length of this header, 144
 *   8       8       sequence, 1 and up
 *   16      8       view in which the block was first proposed
 *   24      8       block time, nanoseconds since 1970, never below the previous block's
 *   32      4       number of batches
 *   36      4       reserved, 0
 *   40      32      Merkle root over the batch ids, see MerkleTree
 *   72      32      proposal digest
 *   104     32      previous block's hash; the genesis digest in block 1
 *   136     8       administration block: the last block before this one that holds administrative batches, or 0
 * </pre>
 */
public record BlockHeader(
        long sequence,
        long view,
        long blockTimeNs,
        int batchCount,
        Digest merkleRoot,
        Digest proposalDigest,
        Digest previousHash,
        long administrationBlock) {
    /** Encoded bytes. */
    public static final int LENGTH = 144;

    static final int MAGIC = 'S' | 'B' << 8 | 'L' << 16 | 'K' << 24;
    static final short VERSION = 2;
    private static final int SEQUENCE_OFFSET = 8;
    private static final int VIEW_OFFSET = 16;
    private static final int BLOCK_TIME_OFFSET = 24;
    private static final int BATCH_COUNT_OFFSET = 32;
    private static final int RESERVED_OFFSET = 36;
    private static final int MERKLE_ROOT_OFFSET = 40;
    private static final int PROPOSAL_DIGEST_OFFSET = 72;
    private static final int PREVIOUS_HASH_OFFSET = 104;
    private static final int ADMINISTRATION_BLOCK_OFFSET = 136;

    /** @throws IllegalArgumentException if a number is out of range */
    public BlockHeader {
        require(sequence >= 1, "sequence", sequence);
        require(view >= 0, "view", view);
        require(blockTimeNs >= 0, "blockTimeNs", blockTimeNs);
        require(batchCount >= 0 && batchCount <= Block.BATCH_COUNT_MAX, "batchCount", batchCount);
        Objects.requireNonNull(merkleRoot, "merkleRoot");
        Objects.requireNonNull(proposalDigest, "proposalDigest");
        Objects.requireNonNull(previousHash, "previousHash");
        require(administrationBlock >= 0 && administrationBlock < sequence, "administrationBlock", administrationBlock);
    }

    /** Returns the block's hash: SHA-256 of the encoded header. */
    public Digest hash() {
        return Digest.sha256(encode());
    }

    /** Returns the {@link #LENGTH} bytes of the layout above. */
    public byte[] encode() {
        byte[] bytes = new byte[LENGTH];
        encode(bytes, 0);
        return bytes;
    }

    void encode(byte[] destination, int offset) {
        ByteBuffer buffer = littleEndian(destination);
        buffer.putInt(offset, MAGIC);
        buffer.putShort(offset + 4, VERSION);
        buffer.putShort(offset + 6, (short) LENGTH);
        buffer.putLong(offset + SEQUENCE_OFFSET, sequence);
        buffer.putLong(offset + VIEW_OFFSET, view);
        buffer.putLong(offset + BLOCK_TIME_OFFSET, blockTimeNs);
        buffer.putInt(offset + BATCH_COUNT_OFFSET, batchCount);
        buffer.putInt(offset + RESERVED_OFFSET, 0);
        merkleRoot.write(destination, offset + MERKLE_ROOT_OFFSET);
        proposalDigest.write(destination, offset + PROPOSAL_DIGEST_OFFSET);
        previousHash.write(destination, offset + PREVIOUS_HASH_OFFSET);
        buffer.putLong(offset + ADMINISTRATION_BLOCK_OFFSET, administrationBlock);
    }

    /**
     * Reads a header.
     *
     * @param bytes hold a header of {@link #LENGTH} bytes; not kept
     * @param offset of the header's first byte
     * @throws MalformedBlockException if they are no header of this version; the message names the fact
     */
    public static BlockHeader decode(byte[] bytes, int offset) {
        if (offset < 0 || bytes.length - offset < LENGTH) {
            throw new MalformedBlockException("header of " + (bytes.length - offset) + " bytes, needs " + LENGTH);
        }
        ByteBuffer buffer = littleEndian(bytes);
        expect(MAGIC, buffer.getInt(offset), "magic");
        expect(VERSION, buffer.getShort(offset + 4), "version");
        expect(LENGTH, buffer.getShort(offset + 6), "header length");
        expect(0, buffer.getInt(offset + RESERVED_OFFSET), "reserved field");
        try {
            return new BlockHeader(
                    buffer.getLong(offset + SEQUENCE_OFFSET),
                    buffer.getLong(offset + VIEW_OFFSET),
                    buffer.getLong(offset + BLOCK_TIME_OFFSET),
                    buffer.getInt(offset + BATCH_COUNT_OFFSET),
                    Digest.of(bytes, offset + MERKLE_ROOT_OFFSET),
                    Digest.of(bytes, offset + PROPOSAL_DIGEST_OFFSET),
                    Digest.of(bytes, offset + PREVIOUS_HASH_OFFSET),
                    buffer.getLong(offset + ADMINISTRATION_BLOCK_OFFSET));
        } catch (IllegalArgumentException e) {
            throw new MalformedBlockException(e.getMessage());
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void expect(int expected, int found, String field) {
        if (expected != found) {
            throw new MalformedBlockException(
                    field + " 0x" + Integer.toHexString(found) + ", expected 0x" + Integer.toHexString(expected));
        }
    }

    private static void require(boolean isInRange, String field, long value) {
        if (!isInRange) {
            throw new IllegalArgumentException(field + " out of range: " + value);
        }
    }
}
