package io.sealbook.archive;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header before each block in a segment file, from which a scan rebuilds the index.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       the segment's mark
 *   8       8       sequence of the block
 *   16      4       length of the block
 *   20      4       CRC32C of the block
 *   24      4       reserved, 0
 *   28      4       CRC32C of bytes 0..27
 *   32      ...     the block
 * </pre>
 */
record SegmentRecord(long sequence, int length, int blockCrc) {
    static final int HEADER_LENGTH = 32;
    private static final int CRC_OFFSET = 28;

    /** Writes the record header into the first {@link #HEADER_LENGTH} bytes of an array. */
    void encode(byte[] destination, long mark) {
        ByteBuffer buffer = ByteBuffer.wrap(destination).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(mark).putLong(sequence).putInt(length).putInt(blockCrc).putInt(0);
        buffer.putInt(Crc32c.of(destination, 0, CRC_OFFSET));
    }

    /** Returns the record header at an offset, or null if there is none of this segment. */
    static SegmentRecord decodeOrNull(byte[] bytes, int offset, long mark) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (buffer.getLong(offset) != mark
                || buffer.getInt(offset + CRC_OFFSET) != Crc32c.of(bytes, offset, CRC_OFFSET)) {
            return null;
        }
        SegmentRecord header =
                new SegmentRecord(buffer.getLong(offset + 8), buffer.getInt(offset + 16), buffer.getInt(offset + 20));
        return header.length >= BlockHeader.LENGTH && header.length <= Block.LENGTH_MAX ? header : null;
    }
}
