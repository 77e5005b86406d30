package io.sealbook.matching;

import io.sealbook.protocol.report.ReportWords;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;

/**
 * A view of an ExecutionReport, on the fields that the core has of it. The core writes no message: a caller that
 * requires one takes it with {@link #get}. Reused: its content is valid until the call it was passed to returns. One
 * thread.
 */
public final class ReportRecord {
    /** Bytes of the message, header included. */
    public static final int LENGTH = ReportWords.LENGTH;

    private final long[] words = new long[ReportWords.COUNT];
    private ReportEvent event;
    private OrderState order;
    private int brokerId;
    private long reportSequence;
    private long execId;

    ReportRecord() {}

    /** Names the block of the reports to come. */
    void beginBlock(long sequence, long timeNs) {
        words[ReportWords.BLOCK_SEQUENCE] = sequence;
        words[ReportWords.TRANSACT_TIME] = timeNs;
    }

    /** Shows a report of an order; the arguments stay as they are until the call returns that takes the record. */
    void show(ReportEvent said, OrderState of, int toBrokerId, long sequence, long lastExecId) {
        event = said;
        order = of;
        brokerId = toBrokerId;
        reportSequence = sequence;
        execId = lastExecId;
    }

    public int brokerId() {
        return brokerId;
    }

    public long reportSequence() {
        return reportSequence;
    }

    public int instrumentId() {
        return order.instrumentId;
    }

    /** Returns whether an entry was refused, and no order has changed. */
    public boolean isRefusal() {
        return event.execType == ExecType.REJECTED || event.execType == ExecType.CANCEL_REJECT;
    }

    /** Returns the value of a {@link RejectReason}, 0..255. */
    public int rejectReason() {
        return event.reason.value();
    }

    /**
     * Writes the SBE message with its header, {@link #LENGTH} bytes.
     *
     * @param destination has room for {@link #LENGTH} bytes from {@code offset} on
     * @param offset where the message begins
     */
    public void get(byte[] destination, int offset) {
        words[ReportWords.REPORT_SEQUENCE] = reportSequence;
        words[ReportWords.ORDER_ID] = order.orderId;
        words[ReportWords.EXEC_ID] = execId;
        words[ReportWords.TRADE_ID] = event.tradeId;
        words[ReportWords.CL_ORD_ID] = event.clOrdId;
        words[ReportWords.ORIG_CL_ORD_ID] = event.origClOrdId;
        words[ReportWords.PRICE] = order.price;
        words[ReportWords.QUANTITY] = order.quantity;
        words[ReportWords.LAST_PX] = event.lastPx;
        words[ReportWords.LAST_QTY] = event.lastQty;
        words[ReportWords.LEAVES_QTY] = event.leaves;
        words[ReportWords.CUM_QTY] = order.cumQty;
        words[ReportWords.CUM_VALUE] = order.cumValue;
        words[ReportWords.BROKER_AND_ACCOUNT] = ReportWords.pair(brokerId, order.account);
        words[ReportWords.INSTRUMENT_AND_BATCH] = ReportWords.pair(order.instrumentId, event.batchIndex);
        words[ReportWords.CAUSE_AND_KIND] =
                ReportWords.causeAndKind(event.orderIndex, order.kind, event.execType, event.ordStatus);
        words[ReportWords.REJECT_REASON] = event.reason.value();
        ReportWords.write(words, destination, offset);
    }
}
