package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds what is signed: an eight-byte domain tag, the chain id, then fixed-width fields, little-endian. */
final class SignedBytes {
    private static final int PREFIX_LENGTH = 16;

    private final ByteBuffer buffer;

    /** Begins what a vote signs: the epoch's number follows the chain id. */
    SignedBytes(String tag, Epoch epoch, int bodyLength) {
        this(tag, epoch.chainId(), Integer.BYTES + bodyLength);
        put(epoch.number());
    }

    SignedBytes(String tag, long chainId, int bodyLength) {
        buffer = ByteBuffer.allocate(PREFIX_LENGTH + bodyLength)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(tag.getBytes(StandardCharsets.US_ASCII))
                .putLong(chainId);
    }

    SignedBytes put(long value) {
        buffer.putLong(value);
        return this;
    }

    SignedBytes put(int value) {
        buffer.putInt(value);
        return this;
    }

    SignedBytes put(Digest digest) {
        digest.write(buffer);
        return this;
    }

    byte[] bytes() {
        return buffer.array();
    }
}
