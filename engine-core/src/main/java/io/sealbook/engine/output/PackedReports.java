package io.sealbook.engine.output;

import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Packed reports of one broker that follow each other, among the SBE messages of a frame; the template id is none of
 * the schema's. A view that is reused: its content is valid only during the call it was passed to.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       2       length of the packed reports together
 *   2       2       template id, 0xFF01
 *   4       2       number of reports, 1..{@link MatchingOutput#PACKED_RUN_MAX}
 *   6       2       1 when the first is packed alone, else 0
 *   8       4       broker id
 *   12      8       report sequence of the first
 *   20      ...     packed reports
 * </pre>
 */
public final class PackedReports {
    static final int TEMPLATE_ID = 0xFF01;
    static final int HEADER_LENGTH = 20;

    private static final int TEMPLATE_OFFSET = 2;
    private static final int COUNT_OFFSET = 4;
    private static final int IS_FIRST_OFFSET = 6;
    private static final int BROKER_OFFSET = 8;
    private static final int SEQUENCE_OFFSET = 12;

    private final UnsafeBuffer buffer;
    private int at;

    PackedReports(UnsafeBuffer buffer) {
        this.buffer = buffer;
    }

    /** Writes the header of no reports yet, from {@code first} on. */
    static void begin(MutableDirectBuffer to, int at, ReportRecord first) {
        to.putShort(at + TEMPLATE_OFFSET, (short) TEMPLATE_ID, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + IS_FIRST_OFFSET, (short) (first.isPackedAlone() ? 1 : 0), ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + BROKER_OFFSET, first.brokerId(), ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + SEQUENCE_OFFSET, first.reportSequence(), ByteOrder.LITTLE_ENDIAN);
    }

    /** Writes the fields that change with each further report. */
    static void update(MutableDirectBuffer to, int at, int count, int length) {
        to.putShort(at, (short) length, ByteOrder.LITTLE_ENDIAN);
        to.putShort(at + COUNT_OFFSET, (short) count, ByteOrder.LITTLE_ENDIAN);
    }

    /** Shows the reports whose header begins at {@code offset} of the buffer. */
    PackedReports show(int offset) {
        at = offset;
        return this;
    }

    public int brokerId() {
        return buffer.getInt(at + BROKER_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the first one's report sequence; the others have the next. */
    public long firstSequence() {
        return buffer.getLong(at + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns how many they are, 1..{@link MatchingOutput#PACKED_RUN_MAX}. */
    public int count() {
        return buffer.getShort(at + COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns whether the first one is packed alone; no other is. */
    public boolean isFirst() {
        return buffer.getShort(at + IS_FIRST_OFFSET, ByteOrder.LITTLE_ENDIAN) != 0;
    }

    /** Returns the array that holds them in {@code offset()..offset() + length()}. */
    public byte[] bytes() {
        return buffer.byteArray();
    }

    public int offset() {
        return at + HEADER_LENGTH;
    }

    /** Returns the length of the packed reports together, in bytes. */
    public int length() {
        return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
