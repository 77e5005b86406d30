package io.sealbook.protocol.report;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Makes the execution reports of a run, one after another, from its cells and details; {@link ReportRun} shows the
 * bytes. Reused. One thread.
 */
public final class ReportMaker {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_HALF = 0xFFFF_FFFFL;
    private static final long NO_CAUSE = -1;

    private final long[] words = new long[ReportWords.COUNT];
    private byte[] bytes = {};
    private ReportRun.Header header;
    private int end;
    private int count;
    private int index;
    private int cellAt;
    private int detailAt;

    // The order in hand.
    private long causeInHand;
    private long orderId;
    private long clOrdId;
    private long price;
    private long quantity;
    private long cumQty;
    private long cumValue;
    private long place;
    private int kind;

    /**
     * Begins with the first report of a run.
     *
     * @param run contains it; not changed, and read until the last report is made
     * @param offset where it begins
     * @param length in bytes
     * @return its header
     * @throws IllegalArgumentException if the bytes are too few for its reports
     */
    public ReportRun.Header begin(byte[] run, int offset, int length) {
        header = ReportRun.header(run, offset, length);
        bytes = run;
        end = offset + length;
        count = header.count();
        index = 0;
        cellAt = offset + ReportRun.HEADER_LENGTH;
        detailAt = cellAt + count * ResultCell.LENGTH;
        causeInHand = NO_CAUSE;
        words[ReportWords.BLOCK_SEQUENCE] = header.block();
        words[ReportWords.TRANSACT_TIME] = header.blockTimeNs();
        return header;
    }

    /** Returns whether a run was begun and has another report. */
    public boolean hasNext() {
        return index < count;
    }

    /**
     * Moves to the next report; {@link #get} writes it.
     *
     * @throws IllegalArgumentException if the bytes are no result, or the run ends before or after its last report
     */
    public void next() {
        ResultCell cell = ResultCell.read(bytes, cellAt);
        cellAt += ResultCell.LENGTH;
        long first = word();
        long cause = ResultCell.cause(cell.batchIndex(), cell.orderIndex());
        words[ReportWords.REPORT_SEQUENCE] = header.first() + index;
        words[ReportWords.EXEC_ID] = header.execIdBefore() + (first & LOW_HALF);
        words[ReportWords.REJECT_REASON] = cell.rejectReason();
        make(cell, (int) (first >>> Integer.SIZE), cause);
        index++;
        if (index == count && detailAt != end) {
            throw new IllegalArgumentException("a run ends " + (end - detailAt) + " bytes after its last report");
        }
    }

    private void make(ResultCell cell, int detailKind, long cause) {
        switch (cell.event()) {
            case ACCEPTED -> accepted(cell, detailKind, cause);
            case REPLACED -> replaced(cell, detailKind, cause);
            case INCOMING_FILL -> incomingFill(cell, detailKind, cause);
            case RESTING_FILL -> restingFill(cell, detailKind);
            case CANCELED -> {
                if (cause == causeInHand) {
                    inHand(cell, ExecType.CANCELED, 0, 0);
                } else {
                    state(cell, detailKind, ExecType.CANCELED);
                }
            }
            case EXPIRED -> state(cell, detailKind, ExecType.EXPIRED);
            case REJECTED -> state(cell, detailKind, ExecType.REJECTED);
            case CANCEL_REJECTED -> state(cell, detailKind, ExecType.CANCEL_REJECT);
            case MASS_CANCELED -> massCanceled(cell, detailKind);
        }
    }

    private void massCanceled(ResultCell cell, int detailKind) {
        long detailPlace = word();
        words[ReportWords.ORDER_ID] = cell.order();
        words[ReportWords.CL_ORD_ID] = word();
        words[ReportWords.ORIG_CL_ORD_ID] = word();
        words[ReportWords.PRICE] = word();
        words[ReportWords.QUANTITY] = word();
        words[ReportWords.CUM_QTY] = cell.tradeOrCumQty();
        words[ReportWords.CUM_VALUE] = 0;
        words[ReportWords.LEAVES_QTY] = cell.quantity();
        noFill();
        OrdStatus status = cell.quantity() == 0 ? OrdStatus.CANCELED : OrdStatus.NEW;
        put(cell, detailPlace, detailKind, ExecType.MASS_CANCEL_REPORT, status);
    }

    private void accepted(ResultCell cell, int detailKind, long cause) {
        take(detailKind, cause);
        orderId = cell.order();
        clOrdId = word();
        price = word();
        quantity = cell.quantity();
        cumQty = 0;
        cumValue = 0;
        inHand(cell, ExecType.NEW, 0, quantity);
    }

    private void replaced(ResultCell cell, int detailKind, long cause) {
        take(detailKind, cause);
        orderId = cell.order();
        clOrdId = word();
        long origClOrdId = word();
        price = word();
        cumQty = cell.tradeOrCumQty();
        quantity = cumQty + cell.quantity();
        cumValue = cumQty == 0 ? 0 : word();
        inHand(cell, ExecType.REPLACED, origClOrdId, cell.quantity());
    }

    private void incomingFill(ResultCell cell, int detailKind, long cause) {
        long lastPx = cell.order();
        if (cause == causeInHand) {
            cumQty += cell.quantity();
            cumValue += lastPx * cell.quantity();
        } else {
            take(detailKind, cause);
            clOrdId = word();
            price = word();
            quantity = word();
            cumQty = word();
            cumValue = word();
            orderId = word();
        }
        inHand(cell, ExecType.TRADE, 0, quantity - cumQty);
        fill(cell, lastPx);
    }

    /** Takes a new order in hand. */
    private void take(int detailKind, long cause) {
        causeInHand = cause;
        kind = detailKind;
        place = word();
    }

    /** Makes the report of the order in hand. */
    private void inHand(ResultCell cell, ExecType execType, long origClOrdId, long leaves) {
        words[ReportWords.ORDER_ID] = orderId;
        words[ReportWords.CL_ORD_ID] = clOrdId;
        words[ReportWords.ORIG_CL_ORD_ID] = origClOrdId;
        words[ReportWords.PRICE] = price;
        words[ReportWords.QUANTITY] = quantity;
        words[ReportWords.CUM_QTY] = cumQty;
        words[ReportWords.CUM_VALUE] = cumValue;
        words[ReportWords.LEAVES_QTY] = leaves;
        noFill();
        OrdStatus status = execType == ExecType.CANCELED ? OrdStatus.CANCELED : live(leaves, cumQty);
        put(cell, place, kind, execType, status);
    }

    private void restingFill(ResultCell cell, int detailKind) {
        long restingPlace = word();
        words[ReportWords.ORDER_ID] = cell.order();
        words[ReportWords.CL_ORD_ID] = word();
        words[ReportWords.ORIG_CL_ORD_ID] = 0;
        long restingPrice = word();
        words[ReportWords.PRICE] = restingPrice;
        long ordered = word();
        words[ReportWords.QUANTITY] = ordered;
        long filled = word();
        words[ReportWords.CUM_QTY] = filled;
        words[ReportWords.CUM_VALUE] = word();
        long leaves = ordered - filled;
        words[ReportWords.LEAVES_QTY] = leaves;
        put(cell, restingPlace, detailKind, ExecType.TRADE, live(leaves, filled));
        fill(cell, restingPrice);
    }

    /** Makes the report of an order, or of a refused entry, that is not in hand. */
    private void state(ResultCell cell, int detailKind, ExecType execType) {
        boolean isOrder = cell.order() != 0;
        long filled = cell.tradeOrCumQty();
        long open = execType == ExecType.CANCEL_REJECT ? cell.quantity() : 0;
        long detailPlace = word();
        words[ReportWords.ORDER_ID] = cell.order();
        words[ReportWords.CL_ORD_ID] = word();
        words[ReportWords.ORIG_CL_ORD_ID] = word();
        words[ReportWords.PRICE] = word();
        words[ReportWords.QUANTITY] = isOrder ? filled + cell.quantity() : word();
        words[ReportWords.CUM_QTY] = filled;
        words[ReportWords.CUM_VALUE] = filled == 0 ? 0 : word();
        words[ReportWords.LEAVES_QTY] = open;
        noFill();
        OrdStatus status = switch (execType) {
            case CANCELED -> OrdStatus.CANCELED;
            case EXPIRED -> OrdStatus.EXPIRED;
            default -> isOrder ? live(open, filled) : OrdStatus.REJECTED;
        };
        put(cell, detailPlace, detailKind, execType, status);
    }

    private static OrdStatus live(long leaves, long filled) {
        if (leaves == 0) {
            return OrdStatus.FILLED;
        }
        return filled == 0 ? OrdStatus.NEW : OrdStatus.PARTIALLY_FILLED;
    }

    private void noFill() {
        words[ReportWords.LAST_PX] = 0;
        words[ReportWords.LAST_QTY] = 0;
        words[ReportWords.TRADE_ID] = 0;
    }

    private void fill(ResultCell cell, long lastPx) {
        words[ReportWords.LAST_PX] = lastPx;
        words[ReportWords.LAST_QTY] = cell.quantity();
        words[ReportWords.TRADE_ID] = cell.tradeOrCumQty();
    }

    private void put(ResultCell cell, long orderPlace, int orderKind, ExecType execType, OrdStatus status) {
        words[ReportWords.BROKER_AND_ACCOUNT] = ReportWords.pair(header.brokerId(), orderPlace);
        words[ReportWords.INSTRUMENT_AND_BATCH] =
                ReportWords.pair((int) (orderPlace >>> Integer.SIZE), cell.batchIndex());
        words[ReportWords.CAUSE_AND_KIND] = ReportWords.causeAndKind(cell.orderIndex(), orderKind, execType, status);
    }

    private long word() {
        int at = detailAt;
        if (end - at < Long.BYTES) {
            throw new IllegalArgumentException("a run ends within the detail of report " + (header.first() + index));
        }
        detailAt = at + Long.BYTES;
        return (long) LONG.get(bytes, at);
    }

    /**
     * Writes the report that {@link #next} moved to: its SBE message with the header.
     *
     * @param out has room for {@link ReportWords#LENGTH} bytes from {@code at} on
     * @param at where the message begins
     */
    public void get(byte[] out, int at) {
        ReportWords.write(words, out, at);
    }
}
