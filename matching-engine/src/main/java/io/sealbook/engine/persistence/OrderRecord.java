package io.sealbook.engine.persistence;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * An order as its last report showed it.
 *
 * @param brokerId unsigned, as are the other ids
 * @param price in ticks, 0 for a market order
 * @param cumValue sum of price times quantity of all fills, in ticks
 * @param enteredBlock block that first reported it; 0 where that is not known here
 * @param updatedIndex place among the outputs of {@code updatedBlock} of the last report
 */
public record OrderRecord(
        long orderId,
        long brokerId,
        long clOrdId,
        long accountId,
        long instrumentId,
        Side side,
        OrdType ordType,
        TimeInForce timeInForce,
        long price,
        long quantity,
        long leavesQty,
        long cumQty,
        long cumValue,
        OrdStatus ordStatus,
        long enteredBlock,
        long updatedBlock,
        int updatedIndex,
        long updatedTimeNs) {

    /**
     * Returns the ClOrdID of the order that a report is about. A cancelled order keeps it: the report carries the
     * cancel's, and the order's as OrigClOrdID.
     *
     * @param report of an order, or of a refused entry
     * @return 64-bit id, as unsigned bits
     */
    public static long clOrdIdOfOrder(ExecutionReportDecoder report) {
        boolean isByRequest = report.execType() == ExecType.CANCELED && report.origClOrdId() != 0;
        return isByRequest ? report.origClOrdId() : report.clOrdId();
    }

    static OrderRecord of(int index, ExecutionReportDecoder report, long enteredBlock) {
        return new OrderRecord(
                report.orderId(),
                report.brokerId(),
                clOrdIdOfOrder(report),
                report.accountId(),
                report.instrumentId(),
                report.side(),
                report.ordType(),
                report.timeInForce(),
                report.price(),
                report.quantity(),
                report.leavesQty(),
                report.cumQty(),
                report.cumValue(),
                report.ordStatus(),
                enteredBlock,
                report.blockSequence(),
                index,
                report.transactTimeNs());
    }
}
