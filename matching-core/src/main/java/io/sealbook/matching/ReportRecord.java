package io.sealbook.matching;

import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.vocabulary.result.RecordPacker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A broker's latest ExecutionReport, as the words of its SBE message and packed as {@link RecordPacker} packs it: each
 * word that differs from the broker's report before is packed the moment it is set, so that no report is gone through
 * twice.
 *
 * <pre>
 *   word  fields
 *   0     message header
 *   1..15 the 8-byte fields in the schema's order
 *   16    brokerId, accountId
 *   17    instrumentId, batchIndex
 *   18    orderIndex (2 bytes), action, side, ordType, timeInForce, execType, ordStatus
 *   19    rejectReason (1 byte), 7 bytes that are not part of the message
 * </pre>
 *
 * Reused: its content is valid until the call it was passed to returns. One thread.
 */
public final class ReportRecord {
    /** Bytes of the message, header included. */
    public static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ExecutionReportEncoder.BLOCK_LENGTH;

    static final int REPORT_SEQUENCE = 1;
    static final int BLOCK_SEQUENCE = 2;
    static final int ORDER_ID = 3;
    static final int EXEC_ID = 4;
    static final int TRADE_ID = 5;
    static final int CL_ORD_ID = 6;
    static final int ORIG_CL_ORD_ID = 7;
    static final int PRICE = 8;
    static final int QUANTITY = 9;
    static final int LAST_PX = 10;
    static final int LAST_QTY = 11;
    static final int LEAVES_QTY = 12;
    static final int CUM_QTY = 13;
    static final int CUM_VALUE = 14;
    static final int TRANSACT_TIME = 15;
    static final int BROKER_AND_ACCOUNT = 16;
    static final int INSTRUMENT_AND_BATCH = 17;
    static final int CAUSE_AND_KIND = 18;
    static final int REJECT_REASON = 19;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int HEADER = 0;
    private static final int WORDS = REJECT_REASON + 1;
    private static final int MASK_BYTES = 3;
    private static final long HEADER_WORD = headerWord();

    private final byte[] packed;
    private final long[] words = new long[WORDS];
    private final byte[] tail = new byte[Long.BYTES];
    private int packedFrom;
    private int packedTo;
    private boolean isPackedAlone;

    /** @param packed where reports are packed into */
    ReportRecord(byte[] packed) {
        this.packed = packed;
    }

    private static long headerWord() {
        byte[] message = new byte[LENGTH];
        new ExecutionReportEncoder().wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderEncoder());
        return (long) LONG.get(message, 0);
    }

    /**
     * Begins the broker's next report. {@link #set} follows for each word from 1 on, in order, and {@link #end}; a word
     * that is as it was may be left out.
     *
     * @param from from here on there is room for {@link RecordPacker#packedLengthMax()} + {@link RecordPacker#SLACK}
     *     bytes
     * @param isAlone whether it is packed as the difference to zeros
     * @return for {@link #set}: below, where the next byte goes; above, a bit for each changed word
     */
    long begin(int from, boolean isAlone) {
        packedFrom = from;
        isPackedAlone = isAlone;
        if (!isAlone) {
            return from + MASK_BYTES;
        }
        Arrays.fill(words, 0);
        return set(from + MASK_BYTES, HEADER, HEADER_WORD);
    }

    /** Sets a word; takes what the call before returned, and returns the same for the next. */
    long set(long cursor, int word, long value) {
        long difference = value - words[word];
        if (difference == 0) {
            return cursor;
        }
        words[word] = value;
        int length = RecordPacker.put(RecordPacker.zigzag(difference), packed, (int) cursor);
        return cursor + ((1L << Integer.SIZE + word) + length);
    }

    /** Ends the report; returns where it ends packed. */
    int end(long cursor) {
        int changed = (int) (cursor >>> Integer.SIZE);
        SHORT.set(packed, packedFrom, (short) changed);
        packed[packedFrom + Short.BYTES] = (byte) (changed >>> Short.SIZE);
        packedTo = (int) cursor;
        return packedTo;
    }

    public int brokerId() {
        return (int) words[BROKER_AND_ACCOUNT];
    }

    public long reportSequence() {
        return words[REPORT_SEQUENCE];
    }

    public int instrumentId() {
        return (int) words[INSTRUMENT_AND_BATCH];
    }

    /** Returns the value of a {@link RejectReason}, 0..255. */
    public int rejectReason() {
        return (int) words[REJECT_REASON];
    }

    /**
     * Writes the SBE message with its header, {@link #LENGTH} bytes.
     *
     * @param destination has room for {@link #LENGTH} bytes from {@code offset} on
     * @param offset where the message begins
     */
    public void get(byte[] destination, int offset) {
        for (int i = 0; i < REJECT_REASON; i++) {
            LONG.set(destination, offset + i * Long.BYTES, words[i]);
        }
        LONG.set(tail, 0, words[REJECT_REASON]);
        System.arraycopy(
                tail, 0, destination, offset + REJECT_REASON * Long.BYTES, LENGTH - REJECT_REASON * Long.BYTES);
    }

    /** Tells whether it is packed alone, or as its difference to the broker's report before. */
    public boolean isPackedAlone() {
        return isPackedAlone;
    }

    /** Returns the array that contains it packed, from {@link #packedOffset()} on. */
    public byte[] packed() {
        return packed;
    }

    public int packedOffset() {
        return packedFrom;
    }

    public int packedLength() {
        return packedTo - packedFrom;
    }
}
