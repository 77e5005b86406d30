package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * The fixed part of a segment file's head; the index follows it, the first record follows the index.
 *
 * <pre>
 *   offset      length  meaning (little-endian)
 *   0           8       magic "SBSEGMT1"
 *   8           4       version, 2
 *   12          4       N, blocks in a full segment
 *   16          8       sequence of the segment's first block, 1 + k N
 *   24          32      genesis digest
 *   56          8       mark: a random number that opens every record of this file
 *   64          4       CRC32C of bytes 0..63
 *   68          4       "CLSD" once the index is complete, anything else while the segment is open
 *   72          24      reserved, 0
 *   96          32 x N  index, see SegmentEntry
 *   96 + 32 N   ...     records, see SegmentRecord
 * </pre>
 *
 * The mark is random so that a broker, whose bytes are archived, cannot forge a record inside a batch and mislead a
 * recovery.
 */
record SegmentHead(int blocksPerSegment, long firstSequence, Digest genesisDigest, long mark) {
    static final int LENGTH = 96;
    static final int VERSION = 2;
    static final int STATE_OFFSET = 68;
    static final int CLOSED = 'C' | 'L' << 8 | 'S' << 16 | 'D' << 24;

    private static final byte[] MAGIC = "SBSEGMT1".getBytes(StandardCharsets.US_ASCII);
    private static final int CRC_OFFSET = 64;

    /** Returns where the index entry of a block of this segment begins. */
    long entryOffset(long sequence) {
        return LENGTH + (sequence - firstSequence) * SegmentEntry.LENGTH;
    }

    /** Returns where the first record begins: the length of the head room. */
    int recordsOffset() {
        return LENGTH + blocksPerSegment * SegmentEntry.LENGTH;
    }

    long lastSequenceMax() {
        return firstSequence + blocksPerSegment - 1;
    }

    /** Returns the whole head room of an open segment: this head and an empty index. */
    ByteBuffer encodeHeadRoom() {
        ByteBuffer buffer = ByteBuffer.allocate(recordsOffset()).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC).putInt(VERSION).putInt(blocksPerSegment).putLong(firstSequence);
        genesisDigest.write(buffer);
        buffer.putLong(mark);
        buffer.putInt(CRC_OFFSET, Crc32c.of(buffer.array(), 0, CRC_OFFSET));
        return buffer.rewind();
    }

    /**
     * Reads a head.
     *
     * @param bytes the file's first {@link #LENGTH} bytes, or all it has
     * @throws ArchiveFormatException naming the file and the field that is not as expected
     */
    static SegmentHead decode(byte[] bytes, Path file) {
        if (bytes.length < LENGTH) {
            throw new ArchiveFormatException(file + ": ends after " + bytes.length + " bytes, a head has " + LENGTH);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = Arrays.copyOf(bytes, MAGIC.length);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new ArchiveFormatException(file + ": magic is "
                    + new String(magic, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?") + ", expected SBSEGMT1");
        }
        if (buffer.getInt(8) != VERSION) {
            throw new ArchiveFormatException(file + ": version " + buffer.getInt(8) + ", expected " + VERSION);
        }
        int crc = Crc32c.of(bytes, 0, CRC_OFFSET);
        if (buffer.getInt(CRC_OFFSET) != crc) {
            throw new ArchiveFormatException(String.format(
                    Locale.ROOT,
                    "%s: head damaged: CRC32C expected %08x, found %08x",
                    file,
                    buffer.getInt(CRC_OFFSET),
                    crc));
        }
        return new SegmentHead(buffer.getInt(12), buffer.getLong(16), Digest.of(bytes, 24), buffer.getLong(56));
    }

    static boolean isClosed(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(STATE_OFFSET) == CLOSED;
    }
}
