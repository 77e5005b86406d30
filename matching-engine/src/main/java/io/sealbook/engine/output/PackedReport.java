package io.sealbook.engine.output;

import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * How a packed report stands among the SBE messages of a frame; its template id is none of the schema's.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       2       length of the packed report
 *   2       2       template id, 0xFF01
 *   4       4       1 when it is packed alone, else 0
 *   8       4       broker id
 *   12      8       report sequence
 *   20      ...     packed report
 * </pre>
 */
final class PackedReport {
    static final int TEMPLATE_ID = 0xFF01;
    static final int HEADER_LENGTH = 20;

    static final int IS_FIRST_OFFSET = 4;
    static final int BROKER_OFFSET = 8;
    static final int SEQUENCE_OFFSET = 12;

    private static final int TEMPLATE_OFFSET = 2;

    private PackedReport() {}

    static void writeHeader(
            MutableDirectBuffer to, int at, int length, boolean isFirst, int brokerId, long reportSequence) {
        to.putShort(at, (short) length, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + TEMPLATE_OFFSET, (short) TEMPLATE_ID, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + IS_FIRST_OFFSET, isFirst ? 1 : 0, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + BROKER_OFFSET, brokerId, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + SEQUENCE_OFFSET, reportSequence, ByteOrder.LITTLE_ENDIAN);
    }
}
