package io.sealbook.node.replicalog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a segment file holds when read from the front.
 *
 * <p>The records end where zeros follow to the end of the file, or at a torn tail: something unreadable that nothing
 * proves to have been durable. Proof is a confirmed offset beyond the tear, told by the header or by a whole record
 * behind it; then the tear is damage. Writes after the last fsync may reach the disk in any order, so a whole record
 * behind a tear is no proof by itself.
 *
 * @param contents of the records, in the order written
 * @param end offset after the last record
 */
record RecordScan(List<byte[]> contents, int end) {
    private static final byte[] ZEROS = new byte[4_096];

    /** @param file little-endian, from 0 to its limit */
    static RecordScan of(ByteBuffer file, long number) {
        long durableEnd = Segment.checkHeader(file, number);
        List<byte[]> contents = new ArrayList<>();
        int offset = Segment.HEADER_LENGTH;
        while (Segment.isRecord(file, number, offset)) {
            byte[] content = new byte[file.getInt(offset)];
            file.get(offset + Segment.RECORD_HEADER_LENGTH, content);
            contents.add(content);
            offset += Segment.recordLength(content.length);
        }
        for (int later = nonZero(file, offset); later < file.limit(); later = nonZero(file, later + Long.BYTES)) {
            if (Segment.isRecord(file, number, later)) {
                durableEnd = Math.max(durableEnd, file.getLong(later + 8));
            }
        }
        if (durableEnd > offset) {
            throw new ReplicaLogDamageException(
                    "segment " + number + " was durable up to " + durableEnd + " but has no whole record", offset);
        }
        return new RecordScan(contents, offset);
    }

    /**
     * Returns where the first long that is not zero begins, the limit if there is none: most of a file is zeros, and no
     * record begins with them.
     *
     * @param offset of a long; the limit or less
     */
    private static int nonZero(ByteBuffer file, int offset) {
        ByteBuffer zeros = ByteBuffer.wrap(ZEROS);
        for (int at = offset; at < file.limit(); at += ZEROS.length) {
            int length = Math.min(ZEROS.length, file.limit() - at);
            int mismatch = file.slice(at, length).mismatch(zeros.limit(length));
            if (mismatch >= 0) {
                return at + mismatch - mismatch % Long.BYTES;
            }
        }
        return file.limit();
    }
}
