package io.sealbook.matching;

import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.RejectReason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An ExecutionReport as the words of its SBE message. The core sets words, and writes no message: who wants one takes
 * it with {@link #get}.
 *
 * <pre>
 *   word  fields
 *   0     message header
 *   1..15 the 8-byte fields in the schema's order
 *   16    brokerId, accountId
 *   17    instrumentId, batchIndex
 *   18    orderIndex (2 bytes), action, side, ordType, timeInForce, execType, ordStatus
 *   19    rejectReason, the last byte of the message
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
    private static final int HEADER = 0;
    private static final int WORDS = REJECT_REASON + 1;
    private static final long HEADER_WORD = headerWord();

    private final long[] words = new long[WORDS];

    ReportRecord() {
        words[HEADER] = HEADER_WORD;
    }

    private static long headerWord() {
        byte[] message = new byte[LENGTH];
        new ExecutionReportEncoder().wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderEncoder());
        return (long) LONG.get(message, 0);
    }

    void set(int word, long value) {
        words[word] = value;
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
        destination[offset + REJECT_REASON * Long.BYTES] = (byte) words[REJECT_REASON];
    }
}
