package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An SBE ExecutionReport under construction, written in whole words of 8 bytes: the packer reads it so, and a processor waits for a word
 * that it has just written in pieces. The generated encoder writes field by field; a test holds the two together.
 *
 * <pre>
 *   word  fields
 *   0     message header
 *   1..15 the 8-byte fields in the schema's order
 *   16    brokerId, accountId
 *   17    instrumentId, batchIndex
 *   18    orderIndex (2 bytes), action, side, ordType, timeInForce, execType, ordStatus
 *   19    rejectReason (1 byte), 7 bytes that are not part of it
 * </pre>
 *
 * Every setter returns this record; all of them are called for each report. Reused, one thread.
 */
final class ReportRecord {
    static final int LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + ExecutionReportEncoder.BLOCK_LENGTH;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int WORDS = (LENGTH + Long.BYTES - 1) / Long.BYTES;
    private static final int REPORT_SEQUENCE = 1;
    private static final int BLOCK_SEQUENCE = 2;
    private static final int ORDER_ID = 3;
    private static final int EXEC_ID = 4;
    private static final int TRADE_ID = 5;
    private static final int CL_ORD_ID = 6;
    private static final int ORIG_CL_ORD_ID = 7;
    private static final int PRICE = 8;
    private static final int QUANTITY = 9;
    private static final int LAST_PX = 10;
    private static final int LAST_QTY = 11;
    private static final int LEAVES_QTY = 12;
    private static final int CUM_QTY = 13;
    private static final int CUM_VALUE = 14;
    private static final int TRANSACT_TIME = 15;
    private static final int BROKER_AND_ACCOUNT = 16;
    private static final int INSTRUMENT_AND_BATCH = 17;
    private static final int CAUSE_AND_KIND = 18;
    private static final int REJECT_REASON = 19;
    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long LOW_BYTE = 0xFFL;

    private final byte[] words = new byte[WORDS * Long.BYTES];
    private long brokerId;
    private long batchIndex;
    private long orderIndex;

    ReportRecord() {
        new ExecutionReportEncoder().wrapAndApplyHeader(new UnsafeBuffer(words), 0, new MessageHeaderEncoder());
    }

    /** Returns the message, {@link #LENGTH} bytes, and zeros up to a multiple of 8. */
    byte[] words() {
        return words;
    }

    ReportRecord begin(
            long reportSequence, long blockSequence, long orderId, long execId, long transactTimeNs, int ofBroker) {
        set(REPORT_SEQUENCE, reportSequence);
        set(BLOCK_SEQUENCE, blockSequence);
        set(ORDER_ID, orderId);
        set(EXEC_ID, execId);
        set(TRANSACT_TIME, transactTimeNs);
        brokerId = ofBroker & LOW_HALF;
        return this;
    }

    /** Takes unsigned numbers of 32 and 16 bits. */
    ReportRecord cause(long batch, int order) {
        batchIndex = batch;
        orderIndex = order;
        return this;
    }

    ReportRecord ids(long tradeId, long clOrdId, long origClOrdId) {
        set(TRADE_ID, tradeId);
        set(CL_ORD_ID, clOrdId);
        set(ORIG_CL_ORD_ID, origClOrdId);
        return this;
    }

    ReportRecord order(long price, long quantity, long leaves, long cumQty, long cumValue) {
        set(PRICE, price);
        set(QUANTITY, quantity);
        set(LEAVES_QTY, leaves);
        set(CUM_QTY, cumQty);
        set(CUM_VALUE, cumValue);
        return this;
    }

    ReportRecord last(long price, long quantity) {
        set(LAST_PX, price);
        set(LAST_QTY, quantity);
        return this;
    }

    /** Comes after {@link #begin} and {@link #cause}. */
    ReportRecord place(int accountId, int instrumentId) {
        set(BROKER_AND_ACCOUNT, (long) accountId << 32 | brokerId);
        set(INSTRUMENT_AND_BATCH, batchIndex << 32 | instrumentId & LOW_HALF);
        return this;
    }

    /** Comes after {@link #cause}. */
    ReportRecord kind(
            Action action,
            Side side,
            OrdType ordType,
            TimeInForce timeInForce,
            ExecType execType,
            OrdStatus ordStatus,
            RejectReason rejectReason) {
        set(
                CAUSE_AND_KIND,
                orderIndex
                        | (action.value() & LOW_BYTE) << 16
                        | (side.value() & LOW_BYTE) << 24
                        | (ordType.value() & LOW_BYTE) << 32
                        | (timeInForce.value() & LOW_BYTE) << 40
                        | (execType.value() & LOW_BYTE) << 48
                        | (ordStatus.value() & LOW_BYTE) << 56);
        set(REJECT_REASON, rejectReason.value() & LOW_BYTE);
        return this;
    }

    private void set(int word, long value) {
        LONG.set(words, word * Long.BYTES, value);
    }
}
