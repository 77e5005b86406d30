package io.sealbook.books.table;

import io.sealbook.archive.order.FixNames;
import io.sealbook.engine.reports.ReportScan;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The table over an engine's report files: what came of each entry, broker after broker. */
final class ReportTable {
    private static final List<Column<ExecutionReportDecoder>> COLUMNS = List.of(
            Column.number("block", ExecutionReportDecoder::blockSequence),
            Column.number("time_ns", ExecutionReportDecoder::transactTimeNs),
            Column.id("broker_id", report -> (int) report.brokerId()),
            Column.number("report_sequence", ExecutionReportDecoder::reportSequence),
            Column.number("exec_id", ExecutionReportDecoder::execId),
            Column.text("exec_type", report -> FixNames.execType(report.execTypeRaw())),
            Column.text("ord_status", report -> FixNames.ordStatus(report.ordStatusRaw())),
            Column.numberOrNull("order_id", ExecutionReportDecoder::orderId),
            Column.longId("cl_ord_id", ExecutionReportDecoder::clOrdId),
            Column.longId("orig_cl_ord_id", ExecutionReportDecoder::origClOrdId),
            Column.id("account_id", report -> (int) report.accountId()),
            Column.id("instrument_id", report -> (int) report.instrumentId()),
            Column.text("side", report -> FixNames.side(report.sideRaw())),
            Column.text("ord_type", report -> FixNames.ordType(report.ordTypeRaw())),
            Column.text("time_in_force", report -> FixNames.timeInForce(report.timeInForceRaw())),
            Column.number("price", ExecutionReportDecoder::price),
            Column.number("quantity", ExecutionReportDecoder::quantity),
            Column.numberOrNull("trade_id", ExecutionReportDecoder::tradeId),
            Column.numberOrNull("last_px", ExecutionReportDecoder::lastPx),
            Column.numberOrNull("last_qty", ExecutionReportDecoder::lastQty),
            Column.number("leaves_qty", ExecutionReportDecoder::leavesQty),
            Column.number("cum_qty", ExecutionReportDecoder::cumQty),
            Column.number("cum_value", ExecutionReportDecoder::cumValue),
            Column.text("reject_reason", report -> FixNames.rejectReason(report.rejectReasonRaw())));

    private ReportTable() {}

    /**
     * Returns one row per execution report.
     *
     * @param directory of all brokers' files
     * @param earlyReports is notified of the first report of each broker that a query reads
     * @param cutReports is asked at the end of each broker's files
     */
    static BookTable<ExecutionReportDecoder> reports(Path directory, EarlyReports earlyReports, CutReports cutReports) {
        return new BookTable<>(
                "reports", COLUMNS, span -> new StoredReports(directory, span, earlyReports, cutReports));
    }

    /** The reports of all brokers, those of a broker in their order. */
    private static final class StoredReports implements Rows<ExecutionReportDecoder> {
        private final BlockSpan span;
        private final EarlyReports earlyReports;
        private final CutReports cutReports;
        private final Iterator<Path> brokers;
        private ReportScan scan;
        private boolean isFirst;

        StoredReports(Path directory, BlockSpan span, EarlyReports earlyReports, CutReports cutReports) {
            this.span = span;
            this.earlyReports = earlyReports;
            this.cutReports = cutReports;
            this.brokers = stores(directory).iterator();
        }

        private static List<Path> stores(Path directory) {
            if (!Files.isDirectory(directory)) {
                return List.of();
            }
            try (Stream<Path> stores = Files.list(directory)) {
                return new ArrayList<>(stores.sorted().toList());
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + directory, e);
            }
        }

        @Override
        public ExecutionReportDecoder next() {
            while (true) {
                if (scan == null) {
                    if (!brokers.hasNext()) {
                        return null;
                    }
                    scan = ReportScan.open(brokers.next(), span.from());
                    isFirst = true;
                }
                while (scan.next()) {
                    if (isFirst) {
                        earlyReports.note(scan.report(), span);
                        isFirst = false;
                    }
                    long block = scan.report().blockSequence();
                    if (block > span.to()) {
                        break;
                    }
                    if (span.contains(block)) {
                        return scan.report();
                    }
                }
                close();
                cutReports.check();
            }
        }

        @Override
        public void close() {
            if (scan != null) {
                scan.close();
                scan = null;
            }
        }
    }
}
