package io.sealbook.client;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * What the engine says about one event of one order: FIX ExecutionReport(8) or, with {@link ExecType#CANCEL_REJECT},
 * OrderCancelReject(9), or, with {@link ExecType#MASS_CANCEL_REPORT}, OrderMassCancelReport(r). Ids and counts are
 * unsigned; prices are ticks.
 *
 * @param reportSequence counts the broker's reports from 1 without gaps
 * @param blockSequence block that caused the report
 * @param orderId OrderID(37) given by the engine, 0 when none was
 * @param execId ExecID(17), counts all reports of the engine
 * @param tradeId TrdMatchID(880), 0 unless a fill
 * @param clOrdId ClOrdID(11)
 * @param origClOrdId OrigClOrdID(41)
 * @param price Price(44) in ticks
 * @param quantity OrderQty(38)
 * @param lastPx LastPx(31) in ticks, 0 unless a fill
 * @param lastQty LastQty(32), 0 unless a fill
 * @param leavesQty LeavesQty(151); of a mass cancel 0 if it is complete
 * @param cumQty CumQty(14); with {@link ExecType#MASS_CANCEL_REPORT} TotalAffectedOrders(533)
 * @param cumValue sum of price times quantity over all fills, in ticks; AvgPx(6) is cumValue / cumQty
 * @param transactTimeNs TransactTime(60): the block's time, ns since the epoch
 * @param brokerId the receiver
 * @param accountId Account(1)
 * @param instrumentId SecurityID(48)
 * @param batchIndex position of the batch in its block, from 0
 * @param orderIndex position of the causing entry in its batch, from 0
 * @param action MsgType(35) of the entry this answers; of a passive fill the resting order's
 * @param side Side(54)
 * @param ordType OrdType(40)
 * @param timeInForce TimeInForce(59)
 * @param execType ExecType(150)
 * @param ordStatus OrdStatus(39)
 * @param rejectReason why, when rejected, or when the engine cancelled the order without a cancel of its own
 */
public record ExecutionReport(
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
        int batchIndex,
        int orderIndex,
        Action action,
        Side side,
        OrdType ordType,
        TimeInForce timeInForce,
        ExecType execType,
        OrdStatus ordStatus,
        RejectReason rejectReason) {
    /** Returns a builder whose report answers a new order; see {@link ExecutionReportBuilder}. */
    public static ExecutionReportBuilder builder() {
        return new ExecutionReportBuilder();
    }

    /** Returns a builder whose fields are those of this report. */
    public ExecutionReportBuilder toBuilder() {
        return new ExecutionReportBuilder(this);
    }
}
