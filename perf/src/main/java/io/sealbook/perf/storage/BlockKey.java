package io.sealbook.perf.storage;

import java.nio.ByteBuffer;

/** A block's number as a key: big-endian, so that the order of bytes is the order of numbers. */
final class BlockKey {
    private BlockKey() {}

    static byte[] of(long sequence) {
        return ByteBuffer.allocate(Long.BYTES).putLong(sequence).array();
    }
}
