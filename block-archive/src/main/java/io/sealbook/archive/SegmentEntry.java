package io.sealbook.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * One block's entry in the index of its segment: where it lies, and the local facts about it, which no hash covers.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       offset of the block's first byte in the file
 *   8       4       length of the block
 *   12      4       CRC32C of the block
 *   16      8       time at which the engine had executed it, nanoseconds since 1970; 0 while unknown
 *   24      4       flags: bit 0 = found damaged when the index was rebuilt
 *   28      4       CRC32C of the block's sequence (8 bytes) and of bytes 0..27
 * </pre>
 *
 * Entries are aligned to their length, so that one never lies in two sectors.
 */
record SegmentEntry(long offset, int length, int crc, long executionTimeNs, boolean isDamaged) {
    static final int LENGTH = 32;
    static final long EXECUTION_TIME_UNKNOWN = 0;

    private static final int CRC_OFFSET = 28;
    private static final int FLAG_DAMAGED = 1;

    SegmentEntry withExecutionTime(long executionTimeNs) {
        return new SegmentEntry(offset, length, crc, executionTimeNs, isDamaged);
    }

    /** Returns the entry of a block that is known to be damaged. */
    SegmentEntry damaged() {
        return new SegmentEntry(offset, length, crc, executionTimeNs, true);
    }

    BlockFacts facts(long sequence) {
        OptionalLong executed =
                executionTimeNs == EXECUTION_TIME_UNKNOWN ? OptionalLong.empty() : OptionalLong.of(executionTimeNs);
        return new BlockFacts(sequence, offset, length, crc, executed);
    }

    void encode(ByteBuffer destination, long sequence) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(offset).putInt(length).putInt(crc).putLong(executionTimeNs);
        buffer.putInt(isDamaged ? FLAG_DAMAGED : 0);
        buffer.putInt(entryCrc(buffer.array(), sequence));
        destination.put(buffer.flip());
    }

    ByteBuffer encode(long sequence) {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH);
        encode(buffer, sequence);
        return buffer.flip();
    }

    static SegmentEntry decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new SegmentEntry(
                buffer.getLong(),
                buffer.getInt(),
                buffer.getInt(),
                buffer.getLong(),
                (buffer.getInt() & FLAG_DAMAGED) != 0);
    }

    static int storedCrc(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(CRC_OFFSET);
    }

    static int entryCrc(byte[] bytes, long sequence) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(sequence)
                .flip());
        crc.update(bytes, 0, CRC_OFFSET);
        return (int) crc.getValue();
    }
}
