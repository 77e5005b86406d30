package io.sealbook.node.payloadlog;

import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Layout of a segment file; all integers little-endian.
 *
 * <pre>
 *   header   0   8  "SBPAYL01"
 *            8   8  segment number
 *            16  44 reserved, 0
 *            60  4  CRC32C of bytes 0..59
 *
 *   record   0   4  "SBPY"
 *            4   4  length of the signed batch in bytes, 1..BATCH_LENGTH_MAX
 *            8   4  CRC32C of segment number, offset of this record, length, and of bytes 12 to the batch's end
 *            12  2  member whose gateway took the batch, or that sent it here
 *            14  2  reserved, 0
 *            16  8  confirmed offset: every byte before it was durable when this record was written
 *            24  8  admission number: batches are admitted in this order
 *            32  8  arrival time, nanoseconds since 1970
 *            40  32 batch id
 *            72  .. signed batch, then zeros up to a multiple of 8
 *
 *   after the last record: zeros, or records of an earlier use of the file, whose checksum names another segment
 * </pre>
 *
 * One thread.
 */
final class PayloadSegment {
    static final int HEADER_LENGTH = 64;
    static final int RECORD_HEADER_LENGTH = 72;
    static final int BATCH_LENGTH_MAX = 16 << 20;

    private static final long MAGIC = 0x31304C5941504253L; // "SBPAYL01" read little-endian
    private static final int RECORD_MAGIC = 0x59504253; // "SBPY"
    private static final int CHECKED_HEADER_LENGTH = 60;
    private static final int CHECKED_FROM = 12;
    private static final int ORIGIN_MASK = 0xFFFF;

    /**
     * What a record says.
     *
     * @param admissionNumber place in the order of admission
     * @param origin member, from 0
     * @param arrivalTimeNs nanoseconds since 1970
     * @param signedBatch the reader's
     */
    record Entry(long admissionNumber, int origin, long arrivalTimeNs, Digest batchId, byte[] signedBatch) {
        /** Returns the bytes that its record takes. */
        int recordLength() {
            return PayloadSegment.recordLength(signedBatch.length);
        }
    }

    private final CRC32C crc = new CRC32C();
    private final ByteBuffer bound = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);

    /** Returns the header of a segment, to be written at offset 0. */
    static ByteBuffer header(long number) {
        ByteBuffer header = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC).putLong(8, number);
        return header.putInt(CHECKED_HEADER_LENGTH, headerChecksum(header));
    }

    /**
     * Returns whether a file begins with the header of this segment.
     *
     * @param file little-endian, from 0 to its limit
     * @param number of the segment, by the file's name
     */
    static boolean isHeader(ByteBuffer file, long number) {
        return file.limit() >= HEADER_LENGTH
                && file.getLong(0) == MAGIC
                && file.getLong(8) == number
                && file.getInt(CHECKED_HEADER_LENGTH) == headerChecksum(file);
    }

    private static int headerChecksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CHECKED_HEADER_LENGTH));
        return (int) crc.getValue();
    }

    private static int recordLength(int batchLength) {
        return RECORD_HEADER_LENGTH + batchLength + 7 & -8;
    }

    /**
     * Appends a record to a buffer.
     *
     * @param into little-endian, with room for the record; its position moves to the record's end
     * @param number of the segment
     * @param offset of the record in the segment
     * @param confirmedOffset every byte before it is durable
     * @param entry what it says
     */
    void put(ByteBuffer into, long number, long offset, long confirmedOffset, Entry entry) {
        int at = into.position();
        byte[] batch = entry.signedBatch();
        into.putInt(RECORD_MAGIC).putInt(batch.length).putInt(0);
        into.putShort((short) entry.origin()).putShort((short) 0);
        into.putLong(confirmedOffset).putLong(entry.admissionNumber()).putLong(entry.arrivalTimeNs());
        entry.batchId().write(into);
        into.put(batch);
        while (into.position() < at + entry.recordLength()) {
            into.put((byte) 0);
        }
        into.putInt(at + 8, checksum(into, at, number, offset, batch.length));
    }

    /**
     * Returns whether a whole record of this segment begins at an offset.
     *
     * @param file little-endian, from 0 to its limit
     * @param number of the segment
     * @param offset in bytes, from 0
     */
    boolean isRecord(ByteBuffer file, long number, int offset) {
        if (file.limit() - offset < RECORD_HEADER_LENGTH || file.getInt(offset) != RECORD_MAGIC) {
            return false;
        }
        int length = file.getInt(offset + 4);
        return length > 0
                && length <= BATCH_LENGTH_MAX
                && recordLength(length) <= file.limit() - offset
                && file.getInt(offset + 8) == checksum(file, offset, number, offset, length);
    }

    /** Returns up to which offset everything was durable when the record at this offset was written. */
    static long confirmedOffset(ByteBuffer file, int offset) {
        return file.getLong(offset + 16);
    }

    /** Returns the record at an offset at which {@link #isRecord} is true. */
    static Entry entry(ByteBuffer file, int offset) {
        byte[] batch = new byte[file.getInt(offset + 4)];
        file.get(offset + RECORD_HEADER_LENGTH, batch);
        byte[] id = new byte[Digest.LENGTH];
        file.get(offset + 40, id);
        return new Entry(
                file.getLong(offset + 24),
                file.getShort(offset + 12) & ORIGIN_MASK,
                file.getLong(offset + 32),
                Digest.of(id),
                batch);
    }

    private int checksum(ByteBuffer buffer, int at, long number, long offset, int batchLength) {
        bound.clear();
        bound.putLong(number).putLong(offset).putInt(batchLength).flip();
        crc.reset();
        crc.update(bound);
        crc.update(buffer.slice(at + CHECKED_FROM, RECORD_HEADER_LENGTH - CHECKED_FROM + batchLength));
        return (int) crc.getValue();
    }
}
