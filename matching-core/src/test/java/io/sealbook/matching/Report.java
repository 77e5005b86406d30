package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import org.agrona.DirectBuffer;

/** An ExecutionReport as a value, every field of it. */
record Report(
        long reportSequence,
        long blockSequence,
        long orderId,
        long execId,
        long tradeId,
        long clOrdId,
        long origClOrdId,
        long price,
        long quantity,
        long lastPx,
        long lastQty,
        long leavesQty,
        long cumQty,
        long cumValue,
        long transactTimeNs,
        int brokerId,
        int accountId,
        int instrumentId,
        long batchIndex,
        int orderIndex,
        Action action,
        Side side,
        OrdType ordType,
        TimeInForce timeInForce,
        ExecType execType,
        OrdStatus ordStatus,
        RejectReason rejectReason) {
    static Report decode(DirectBuffer buffer, int offset) {
        ExecutionReportDecoder d =
                new ExecutionReportDecoder().wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
        return new Report(
                d.reportSequence(),
                d.blockSequence(),
                d.orderId(),
                d.execId(),
                d.tradeId(),
                d.clOrdId(),
                d.origClOrdId(),
                d.price(),
                d.quantity(),
                d.lastPx(),
                d.lastQty(),
                d.leavesQty(),
                d.cumQty(),
                d.cumValue(),
                d.transactTimeNs(),
                (int) d.brokerId(),
                (int) d.accountId(),
                (int) d.instrumentId(),
                d.batchIndex(),
                d.orderIndex(),
                d.action(),
                d.side(),
                d.ordType(),
                d.timeInForce(),
                d.execType(),
                d.ordStatus(),
                d.rejectReason());
    }

    /** Returns what most tests look at: who, what happened, how much. */
    String brief() {
        String text = "b" + brokerId + " #" + clOrdId + " " + execType;
        if (execType == ExecType.TRADE) {
            return text + " " + lastQty + "@" + lastPx + " leaves " + leavesQty + " " + ordStatus;
        }
        return rejectReason == RejectReason.NONE ? text + " leaves " + leavesQty : text + " " + rejectReason;
    }
}
