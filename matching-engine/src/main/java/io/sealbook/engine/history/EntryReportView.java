package io.sealbook.engine.history;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ReportFields;

/**
 * A report that an entry caused.
 *
 * @param rejectReason null unless refused
 * @param tradeId null unless a fill
 * @param proof where the proof of the report is
 * @param tradeProof where the proof of the trade is; null unless a fill
 */
record EntryReportView(
        long reportSequence,
        long orderId,
        String execType,
        String ordStatus,
        String rejectReason,
        Long tradeId,
        long lastPx,
        long lastQty,
        long leavesQty,
        long cumQty,
        String proof,
        String tradeProof) {
    static EntryReportView of(ReportFields report) {
        boolean isFill = report.tradeId() != 0;
        return new EntryReportView(
                report.reportSequence(),
                report.orderId(),
                FixNames.execType(report.execType()),
                FixNames.ordStatus(report.ordStatus()),
                report.rejectReason() == 0 ? null : FixNames.rejectReason(report.rejectReason()),
                isFill ? report.tradeId() : null,
                report.lastPxTicks(),
                report.lastQtyLots(),
                report.leavesQtyLots(),
                report.cumQtyLots(),
                "/api/reports/" + Integer.toUnsignedString(report.brokerId()) + "/" + report.reportSequence()
                        + "/proof",
                isFill ? "/api/trades/" + report.tradeId() + "/proof" : null);
    }
}
