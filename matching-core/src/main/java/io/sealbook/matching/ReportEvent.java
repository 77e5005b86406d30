package io.sealbook.matching;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;

/** The fields of a report besides its order's, and the entry that causes it. Reused. */
final class ReportEvent {
    long batchIndex;
    int orderIndex;
    /** Both, as a cell has them. */
    long cause;

    long clOrdId;
    long origClOrdId;
    long leaves;
    long lastPx;
    long lastQty;
    long tradeId;
    ResultEvent event;
    ExecType execType;
    OrdStatus ordStatus;
    RejectReason reason;

    /** Names the entry that causes the reports to come. */
    void cause(int batch, int order) {
        batchIndex = batch & 0xFFFF_FFFFL;
        orderIndex = order;
        cause = ResultCell.cause(batchIndex, order);
    }

    /** The reports to come are caused by no entry: both positions are null in SBE terms. */
    void noCause() {
        batchIndex = ExecutionReportEncoder.batchIndexNullValue();
        orderIndex = ExecutionReportEncoder.orderIndexNullValue();
        cause = ResultCell.cause(ResultCell.NO_BATCH, ResultCell.NO_ORDER);
    }

    void noFill() {
        lastPx = 0;
        lastQty = 0;
        tradeId = 0;
    }
}
