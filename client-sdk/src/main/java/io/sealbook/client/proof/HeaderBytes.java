package io.sealbook.client.proof;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The header of a block as {@code block-archive/doc/segment-format.md} draws it. Nothing in it is judged. Immutable;
 * any thread.
 *
 * @param bytes {@link #LENGTH}, not copied and not changed
 */
record HeaderBytes(byte[] bytes) {
    static final int LENGTH = 144;

    private static final int SEQUENCE = 8;
    private static final int BATCH_COUNT = 32;
    private static final int MERKLE_ROOT = 40;
    private static final int PREVIOUS_HASH = 104;
    private static final int ADMINISTRATION_BLOCK = 136;

    /** Takes the next header of a buffer. */
    static HeaderBytes take(ByteBuffer in) {
        return new HeaderBytes(ProofReader.take(in, LENGTH));
    }

    long sequence() {
        return littleEndian().getLong(SEQUENCE);
    }

    int batchCount() {
        return littleEndian().getInt(BATCH_COUNT);
    }

    Digest merkleRoot() {
        return Digest.of(bytes, MERKLE_ROOT);
    }

    Digest previousHash() {
        return Digest.of(bytes, PREVIOUS_HASH);
    }

    /** Returns the last block before this one with administrative batches; 0 if there is none. */
    long administrationBlock() {
        return littleEndian().getLong(ADMINISTRATION_BLOCK);
    }

    /** Returns the hash that the next block and certificates name. */
    Digest hash() {
        return Digest.sha256(bytes);
    }

    private ByteBuffer littleEndian() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeaderBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
