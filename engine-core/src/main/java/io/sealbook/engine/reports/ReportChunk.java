package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.RunTree;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Consecutive reports of one broker as they are in a file. The first is packed alone, each other as its difference to
 * the one before.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       CRC-32C of bytes 4 to the end
 *   4       4       length of the packed reports
 *   8       8       sequence of the first report
 *   16      4       number of reports, 1..256
 *   20      4       reserved, 0
 *   24      ...     packed reports, see {@link RecordPacker}
 * </pre>
 */
final class ReportChunk {
    static final int HEADER_LENGTH = 24;
    static final int COUNT_MAX = RunTree.RUN_MAX;

    private static final int LENGTH_OFFSET = 4;
    private static final int FIRST_OFFSET = 8;
    private static final int COUNT_OFFSET = 16;
    private static final int RESERVED_OFFSET = 20;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private ReportChunk() {}

    /** Writes the header of a chunk whose packed reports are already in place after it. */
    static void seal(byte[] bytes, int at, long first, int count, int packedLength) {
        INT.set(bytes, at + LENGTH_OFFSET, packedLength);
        LONG.set(bytes, at + FIRST_OFFSET, first);
        INT.set(bytes, at + COUNT_OFFSET, count);
        INT.set(bytes, at + RESERVED_OFFSET, 0);
        INT.set(bytes, at, crc(bytes, at));
    }

    static int count(byte[] bytes, int at) {
        return (int) INT.get(bytes, at + COUNT_OFFSET);
    }

    static long first(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at + FIRST_OFFSET);
    }

    /** Returns the bytes of the whole chunk. */
    static int length(byte[] bytes, int at) {
        return HEADER_LENGTH + (int) INT.get(bytes, at + LENGTH_OFFSET);
    }

    /** Tells whether the header can be that of the chunk that begins with report {@code first}. */
    static boolean isHeaderOf(long first, byte[] bytes, int at, int recordLengthMax) {
        int count = count(bytes, at);
        int packed = (int) INT.get(bytes, at + LENGTH_OFFSET);
        return first(bytes, at) == first
                && count >= 1
                && count <= COUNT_MAX
                && packed >= 1
                && packed <= (long) count * recordLengthMax
                && (int) INT.get(bytes, at + RESERVED_OFFSET) == 0;
    }

    /** Tells whether the bytes of a whole chunk are those that were written. */
    static boolean isWhole(byte[] bytes, int at) {
        return (int) INT.get(bytes, at) == crc(bytes, at);
    }

    private static int crc(byte[] bytes, int at) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, at + LENGTH_OFFSET, length(bytes, at) - LENGTH_OFFSET);
        return (int) crc.getValue();
    }
}
