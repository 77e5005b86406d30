package io.sealbook.protocol.report;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrdStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * An ExecutionReport as the words of its SBE message, in an array of {@link #COUNT}.
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
 */
public final class ReportWords {
    /** Bytes of the message, header included. */
    public static final int LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportDecoder.BLOCK_LENGTH;

    /** Number of words of a report. */
    public static final int COUNT = 20;

    public static final int REPORT_SEQUENCE = 1;
    public static final int BLOCK_SEQUENCE = 2;
    public static final int ORDER_ID = 3;
    public static final int EXEC_ID = 4;
    public static final int TRADE_ID = 5;
    public static final int CL_ORD_ID = 6;
    public static final int ORIG_CL_ORD_ID = 7;
    public static final int PRICE = 8;
    public static final int QUANTITY = 9;
    public static final int LAST_PX = 10;
    public static final int LAST_QTY = 11;
    public static final int LEAVES_QTY = 12;
    public static final int CUM_QTY = 13;
    public static final int CUM_VALUE = 14;
    public static final int TRANSACT_TIME = 15;
    public static final int BROKER_AND_ACCOUNT = 16;
    public static final int INSTRUMENT_AND_BATCH = 17;
    public static final int CAUSE_AND_KIND = 18;
    public static final int REJECT_REASON = 19;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HEADER = ExecutionReportDecoder.BLOCK_LENGTH
            | (long) ExecutionReportDecoder.TEMPLATE_ID << 16
            | (long) ExecutionReportDecoder.SCHEMA_ID << 32
            | (long) ExecutionReportDecoder.SCHEMA_VERSION << 48;
    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long LOW_BYTE = 0xFFL;
    private static final int KIND_SHIFT = 16;
    private static final int EXEC_TYPE_SHIFT = 48;
    private static final int ORD_STATUS_SHIFT = 56;

    private ReportWords() {}

    /**
     * Returns two fields of 4 bytes as a word.
     *
     * @param low the field that is first in the message
     * @param high the other, 0..2^32 - 1 or as a signed number
     */
    public static long pair(int low, long high) {
        return high << Integer.SIZE | low & LOW_HALF;
    }

    /**
     * Returns word {@link #CAUSE_AND_KIND}.
     *
     * @param orderIndex position of the entry in its batch
     * @param kind action, side, ordType and timeInForce, low byte first
     * @param execType what happened
     * @param ordStatus of the order after it
     */
    public static long causeAndKind(int orderIndex, int kind, ExecType execType, OrdStatus ordStatus) {
        return orderIndex
                | (kind & LOW_HALF) << KIND_SHIFT
                | (execType.value() & LOW_BYTE) << EXEC_TYPE_SHIFT
                | (ordStatus.value() & LOW_BYTE) << ORD_STATUS_SHIFT;
    }

    /**
     * Writes the SBE message with its header, {@link #LENGTH} bytes.
     *
     * @param words of the report; the first is not read
     * @param destination has room for {@link #LENGTH} bytes from {@code offset} on
     * @param offset where the message begins
     */
    public static void write(long[] words, byte[] destination, int offset) {
        LONG.set(destination, offset, HEADER);
        for (int i = 1; i < REJECT_REASON; i++) {
            LONG.set(destination, offset + i * Long.BYTES, words[i]);
        }
        destination[offset + REJECT_REASON * Long.BYTES] = (byte) words[REJECT_REASON];
    }
}
