package io.sealbook.engine.history;

import io.sealbook.archive.result.ReportFields;

/**
 * An order that the engine has given an id.
 *
 * @param clOrdId decimal text, as in all views
 * @param block whose entry was accepted
 * @param order where its state is
 * @param history where its signed entries are
 */
record AcceptedOrderView(
        long orderId,
        long brokerId,
        String clOrdId,
        long block,
        long batchIndex,
        int orderIndex,
        String order,
        String history) {
    static AcceptedOrderView of(ReportFields report) {
        long brokerId = Integer.toUnsignedLong(report.brokerId());
        String clOrdId = Long.toUnsignedString(report.clOrdId());
        String order = "/api/orders/" + brokerId + "/" + clOrdId;
        return new AcceptedOrderView(
                report.orderId(),
                brokerId,
                clOrdId,
                report.block(),
                report.batchIndex(),
                report.orderIndex(),
                order,
                order + "/history?to=" + report.block());
    }
}
