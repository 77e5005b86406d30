package io.sealbook.engine.query;

import io.sealbook.engine.persistence.OrderRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.RejectReason;

/**
 * An order, or a refused entry, as its last report showed it.
 *
 * @param clOrdId decimal text, because it is an unsigned 64-bit number and JSON readers lose the low digits of those
 * @param averagePrice in ticks, null before the first fill
 * @param rejectReason null unless refused
 */
record ReportedOrder(
        long brokerId,
        String clOrdId,
        long orderId,
        long accountId,
        long instrumentId,
        String side,
        String ordType,
        String timeInForce,
        long price,
        long quantity,
        long leavesQty,
        long cumQty,
        Double averagePrice,
        String ordStatus,
        String rejectReason,
        long updatedBlock,
        long updatedTimeNs) {

    static ReportedOrder of(ExecutionReportDecoder report) {
        RejectReason reason = report.rejectReason();
        return new ReportedOrder(
                report.brokerId(),
                Long.toUnsignedString(report.clOrdId()),
                report.orderId(),
                report.accountId(),
                report.instrumentId(),
                report.side().name(),
                report.ordType().name(),
                report.timeInForce().name(),
                report.price(),
                report.quantity(),
                report.leavesQty(),
                report.cumQty(),
                average(report.cumValue(), report.cumQty()),
                report.ordStatus().name(),
                reason == RejectReason.NONE ? null : reason.name(),
                report.blockSequence(),
                report.transactTimeNs());
    }

    static ReportedOrder of(OrderRecord order) {
        return new ReportedOrder(
                order.brokerId(),
                Long.toUnsignedString(order.clOrdId()),
                order.orderId(),
                order.accountId(),
                order.instrumentId(),
                order.side().name(),
                order.ordType().name(),
                order.timeInForce().name(),
                order.price(),
                order.quantity(),
                order.leavesQty(),
                order.cumQty(),
                average(order.cumValue(), order.cumQty()),
                order.ordStatus().name(),
                null,
                order.updatedBlock(),
                order.updatedTimeNs());
    }

    /** For people only: nothing is decided with it, so floating point may show it. */
    private static Double average(long value, long quantity) {
        return quantity == 0 ? null : (double) value / quantity;
    }
}
