package io.sealbook.node.replicalog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of a segment file; all integers little-endian.
 *
 * <pre>
 *   header   0   8  "SBRLOG01"
 *            8   8  segment number
 *            16  8  snapshot end: every byte before it was durable before the file got its name
 *            24  4  reserved, 0
 *            28  4  CRC32C of bytes 0..27
 *
 *   record   0   4  length of the content, 1..CONTENT_LENGTH_MAX
 *            4   4  CRC32C of segment number, offset of this record, length, confirmed offset, content
 *            8   8  confirmed offset: every byte before it was durable when this record was written
 *            16  .. content, then zeros up to a multiple of 8
 *
 *   after the last record: zeros
 * </pre>
 */
final class Segment {
    static final int HEADER_LENGTH = 32;
    static final int RECORD_HEADER_LENGTH = 16;
    static final int CONTENT_LENGTH_MAX = 32 << 20;

    private static final long MAGIC = 0x3130474F4C524253L; // "SBRLOG01" read little-endian
    private static final int CHECKED_HEADER_LENGTH = 28;

    private Segment() {}

    static void writeHeader(ByteBuffer buffer, long number, long snapshotEnd) {
        buffer.order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(0, MAGIC).putLong(8, number).putLong(16, snapshotEnd).putInt(24, 0);
        CRC32C crc = new CRC32C();
        crc.update(buffer.slice(0, CHECKED_HEADER_LENGTH));
        buffer.putInt(CHECKED_HEADER_LENGTH, (int) crc.getValue());
    }

    /** Returns the snapshot end that the header states. */
    static long checkHeader(ByteBuffer file, long number) {
        if (file.limit() < HEADER_LENGTH) {
            throw new ReplicaLogDamageException("segment " + number + " has no whole header", file.limit());
        }
        CRC32C crc = new CRC32C();
        crc.update(file.slice(0, CHECKED_HEADER_LENGTH));
        if (file.getLong(0) != MAGIC || file.getInt(CHECKED_HEADER_LENGTH) != (int) crc.getValue()) {
            throw new ReplicaLogDamageException("segment " + number + " has a damaged header", 0);
        }
        if (file.getLong(8) != number) {
            throw new ReplicaLogDamageException("segment " + number + " says it is " + file.getLong(8), 8);
        }
        return file.getLong(16);
    }

    /** Returns the bytes a record of this content takes. */
    static int recordLength(int contentLength) {
        return RECORD_HEADER_LENGTH + (contentLength + 7 & -8);
    }

    static ByteBuffer record(long number, long offset, long confirmedOffset, byte[] content) {
        ByteBuffer record = ByteBuffer.allocate(recordLength(content.length)).order(ByteOrder.LITTLE_ENDIAN);
        record.putInt(0, content.length).putLong(8, confirmedOffset).put(RECORD_HEADER_LENGTH, content);
        record.putInt(4, crc(number, offset, record, 0, content.length));
        return record;
    }

    /** Returns whether a whole record with a right checksum begins at {@code offset} of the file. */
    static boolean isRecord(ByteBuffer file, long number, int offset) {
        if (file.limit() - offset < RECORD_HEADER_LENGTH) {
            return false;
        }
        int length = file.getInt(offset);
        if (length <= 0 || length > CONTENT_LENGTH_MAX || recordLength(length) > file.limit() - offset) {
            return false;
        }
        return file.getInt(offset + 4) == crc(number, offset, file, offset, length);
    }

    private static int crc(long number, long offset, ByteBuffer buffer, int at, int length) {
        CRC32C crc = new CRC32C();
        ByteBuffer bound = ByteBuffer.allocate(28).order(ByteOrder.LITTLE_ENDIAN);
        bound.putLong(number)
                .putLong(offset)
                .putInt(length)
                .putLong(buffer.getLong(at + 8))
                .flip();
        crc.update(bound);
        crc.update(buffer.slice(at + RECORD_HEADER_LENGTH, length));
        return (int) crc.getValue();
    }
}
