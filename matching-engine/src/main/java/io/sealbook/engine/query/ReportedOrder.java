package io.sealbook.engine.query;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.order.OrderFields;
import io.sealbook.engine.persistence.OrderRecord;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.RejectReason;

/**
 * An order, or a refused entry, as its last report showed it; from the blocks, as its broker signed it.
 *
 * @param source which of the three paths answered: {@code memory}, {@code database} or {@code blocks}
 * @param clOrdId decimal text, because it is an unsigned 64-bit number and JSON readers lose the low digits of those
 * @param averagePrice in ticks, null before the first fill
 * @param orderId null from the blocks, as are the quantities and the status that execution gives
 * @param rejectReason null unless refused
 */
public record ReportedOrder(
        String source,
        long brokerId,
        String clOrdId,
        Long orderId,
        long accountId,
        long instrumentId,
        String side,
        String ordType,
        String timeInForce,
        long price,
        long quantity,
        Long leavesQty,
        Long cumQty,
        Double averagePrice,
        String ordStatus,
        String rejectReason,
        long updatedBlock,
        long updatedTimeNs) {

    static ReportedOrder of(ExecutionReportDecoder report) {
        RejectReason reason = report.rejectReason();
        // A cancelled order may have a reason, too, which the database has not.
        boolean isReasonOfRefusal = reason != RejectReason.NONE && report.execType() != ExecType.CANCELED;
        return new ReportedOrder(
                "memory",
                report.brokerId(),
                Long.toUnsignedString(OrderRecord.clOrdIdOfOrder(report)),
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
                isReasonOfRefusal ? reason.name() : null,
                report.blockSequence(),
                report.transactTimeNs());
    }

    static ReportedOrder of(OrderRecord order) {
        return new ReportedOrder(
                "database",
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

    /**
     * Returns an entry as its broker signed it.
     *
     * @param brokerId unsigned
     * @param order its fields
     * @param block that holds it
     * @param blockTimeNs ns since the epoch
     */
    public static ReportedOrder signed(int brokerId, OrderFields order, long block, long blockTimeNs) {
        return new ReportedOrder(
                "blocks",
                Integer.toUnsignedLong(brokerId),
                Long.toUnsignedString(order.clOrdId()),
                null,
                Integer.toUnsignedLong(order.accountId()),
                Integer.toUnsignedLong(order.instrumentId()),
                FixNames.side(order.side()),
                FixNames.ordType(order.ordType()),
                FixNames.timeInForce(order.timeInForce()),
                order.priceTicks(),
                order.quantityLots(),
                null,
                null,
                null,
                null,
                null,
                block,
                blockTimeNs);
    }

    /** For people only: nothing is decided with it, so floating point may show it. */
    private static Double average(long value, long quantity) {
        return quantity == 0 ? null : (double) value / quantity;
    }
}
