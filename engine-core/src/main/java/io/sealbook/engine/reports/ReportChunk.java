package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.ReportRun;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A run of one broker's results as it is in a file.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       CRC-32C of bytes 4 to the end
 *   4       4       length of the run
 *   8       ...     the run, see {@link ReportRun}
 * </pre>
 */
final class ReportChunk {
    static final int HEADER_LENGTH = 8;
    /** Bytes that suffice for everything but {@link #isWhole}. */
    static final int HEAD_LENGTH = HEADER_LENGTH + ReportRun.HEADER_LENGTH;

    static final int LENGTH_MAX = HEADER_LENGTH + ReportRun.LENGTH_MAX;

    private static final int LENGTH_OFFSET = 4;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private ReportChunk() {}

    /** Writes the header of a chunk whose run is already in place after it. */
    static void seal(byte[] bytes, int at, int runLength) {
        INT.set(bytes, at + LENGTH_OFFSET, runLength);
        INT.set(bytes, at, crc(bytes, at));
    }

    static int count(byte[] bytes, int at) {
        return ReportRun.count(bytes, at + HEADER_LENGTH);
    }

    static long first(byte[] bytes, int at) {
        return ReportRun.first(bytes, at + HEADER_LENGTH);
    }

    static int runLength(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + LENGTH_OFFSET);
    }

    /** Returns the bytes of the whole chunk. */
    static int length(byte[] bytes, int at) {
        return HEADER_LENGTH + runLength(bytes, at);
    }

    /** Returns whether the head can be that of the chunk that begins with report {@code first}. */
    static boolean isHeadOf(long first, byte[] bytes, int at) {
        int count = count(bytes, at);
        int length = runLength(bytes, at);
        return count >= 1
                && count <= ReportRun.COUNT_MAX
                && length > ReportRun.HEADER_LENGTH
                && length <= ReportRun.LENGTH_MAX
                && first(bytes, at) == first;
    }

    /** Returns whether a chunk, of which all bytes are there, is undamaged. */
    static boolean isWhole(byte[] bytes, int at) {
        return (int) INT.get(bytes, at) == crc(bytes, at);
    }

    private static int crc(byte[] bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, at + LENGTH_OFFSET, length(bytes, at) - LENGTH_OFFSET);
        return (int) crc.getValue();
    }
}
