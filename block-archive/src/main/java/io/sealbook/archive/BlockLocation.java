package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Where a block lies in the segment files of an archive, and which block it is: enough for another process on the same
 * machine to read and check it without the archive's index.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       magic "SBLO"
 *   4       4       length of the block
 *   8       8       sequence of the block
 *   16      8       sequence of the segment's first block, which names its file
 *   24      8       offset of the block's first byte in the file
 *   32      4       CRC32C of the block
 *   36      4       CRC32C of the other bytes of this record
 *   40      32      hash of the block
 * </pre>
 */
public record BlockLocation(long sequence, Digest hash, long segment, long offset, int length, int crc) {
    /** Encoded bytes. */
    public static final int LENGTH = 72;

    private static final int MAGIC = 'S' | 'B' << 8 | 'L' << 16 | 'O' << 24;
    private static final int CRC_OFFSET = 36;
    private static final int HASH_OFFSET = 40;

    /** @throws IllegalArgumentException if a number is out of range */
    public BlockLocation {
        if (segment < 1
                || sequence < segment
                || offset < 0
                || length < BlockHeader.LENGTH
                || length > Block.LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "block " + sequence + " of " + length + " bytes at " + offset + " of segment " + segment);
        }
        Objects.requireNonNull(hash, "hash");
    }

    /** Returns the file that holds the block, in the archive of this directory. */
    public Path file(Path archive) {
        return SegmentFiles.path(archive, segment);
    }

    /** Returns the {@link #LENGTH} bytes of the layout above. */
    public byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(MAGIC).putInt(length).putLong(sequence).putLong(segment).putLong(offset);
        buffer.putInt(crc).putInt(0);
        hash.write(buffer);
        buffer.putInt(CRC_OFFSET, Crc32c.of(buffer.array()));
        return buffer.array();
    }

    /**
     * Reads a location.
     *
     * @throws MalformedBlockException if the bytes are none, or damaged
     */
    public static BlockLocation decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length != LENGTH || buffer.getInt(0) != MAGIC) {
            throw new MalformedBlockException(
                    bytes.length + " bytes are no location of a block, which has " + LENGTH + " and begins with SBLO");
        }
        byte[] covered = bytes.clone();
        Arrays.fill(covered, CRC_OFFSET, HASH_OFFSET, (byte) 0);
        int crc = Crc32c.of(covered);
        if (crc != buffer.getInt(CRC_OFFSET)) {
            throw new MalformedBlockException(String.format(
                    Locale.ROOT,
                    "location of a block is damaged: CRC32C expected %08x, found %08x",
                    buffer.getInt(CRC_OFFSET),
                    crc));
        }
        try {
            return new BlockLocation(
                    buffer.getLong(8),
                    Digest.of(bytes, HASH_OFFSET),
                    buffer.getLong(16),
                    buffer.getLong(24),
                    buffer.getInt(4),
                    buffer.getInt(32));
        } catch (IllegalArgumentException e) {
            throw new MalformedBlockException(e.getMessage());
        }
    }
}
