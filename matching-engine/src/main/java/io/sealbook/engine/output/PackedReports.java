package io.sealbook.engine.output;

import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * How packed reports of one broker that follow each other stand among the SBE messages of a frame; the template id is none of the
 * schema's.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       2       length of the packed reports together
 *   2       2       template id, 0xFF01
 *   4       2       how many they are, 1..{@link MatchingOutput#PACKED_RUN_MAX}
 *   6       2       1 when the first is packed alone, else 0
 *   8       4       broker id
 *   12      8       report sequence of the first
 *   20      ...     packed reports
 * </pre>
 */
final class PackedReports {
    static final int TEMPLATE_ID = 0xFF01;
    static final int HEADER_LENGTH = 20;

    static final int COUNT_OFFSET = 4;
    static final int IS_FIRST_OFFSET = 6;
    static final int BROKER_OFFSET = 8;
    static final int SEQUENCE_OFFSET = 12;

    private static final int TEMPLATE_OFFSET = 2;

    private PackedReports() {}

    /** Writes the header of no reports yet, from {@code first} on. */
    static void begin(MutableDirectBuffer to, int at, ReportRecord first) {
        to.putShort(at + TEMPLATE_OFFSET, (short) TEMPLATE_ID, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + IS_FIRST_OFFSET, (short) (first.isPackedAlone() ? 1 : 0), ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + BROKER_OFFSET, first.brokerId(), ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + SEQUENCE_OFFSET, first.reportSequence(), ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes what changes with every further report. */
    static void update(MutableDirectBuffer to, int at, int count, int length) {
        to.putShort(at, (short) length, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + COUNT_OFFSET, (short) count, ByteOrder.LITTLE_ENDIAN);
    }
}
