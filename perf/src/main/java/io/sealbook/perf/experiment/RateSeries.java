package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.AnswerSeries;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rate and latencies of a run over time, one point per interval: whether a platform that runs for long gets slower, as
 * the source paper's tables 5 to 8 ask.
 *
 * @param intervalSeconds length of an interval
 * @param points in their order
 */
record RateSeries(int intervalSeconds, List<Point> points) {

    /**
     * One interval.
     *
     * @param fromSeconds since the start of the run
     * @param receipts f + 1 equal receipts
     * @param reports f + 1 equal reports; nothing if brokers hear none
     */
    record Point(int fromSeconds, AnswerSeries.Window receipts, AnswerSeries.Window reports) {}

    /**
     * Returns the series of a run.
     *
     * @param run over
     * @param intervalSeconds 0 for a series without points
     */
    static RateSeries of(LoadRun run, int intervalSeconds) {
        List<Point> points = new ArrayList<>();
        if (intervalSeconds > 0) {
            List<AnswerSeries.Window> receipts = run.receipts().intervals(intervalSeconds);
            List<AnswerSeries.Window> reports = run.reports().intervals(intervalSeconds);
            for (int i = 0; i < receipts.size(); i++) {
                points.add(new Point(i * intervalSeconds, receipts.get(i), reports.get(i)));
            }
        }
        return new RateSeries(intervalSeconds, List.copyOf(points));
    }

    /**
     * Prints a line per interval; nothing if there is none.
     *
     * @param label of the run
     * @param out takes the lines
     */
    void print(String label, PrintStream out) {
        if (points.isEmpty()) {
            return;
        }
        out.printf("%n%s, intervals of %d s:%n", label, intervalSeconds);
        out.println("  from s   orders/s  (slowest..fastest s)    p50 ms    p99 ms  | to report p50 ms   p99 ms");
        for (Point point : points) {
            out.printf(
                    Locale.ROOT,
                    "%8d %,10.0f  (%,9.0f ..%,9.0f)  %8.1f  %8.1f  |         %8.1f %8.1f%n",
                    point.fromSeconds,
                    point.receipts.ordersPerSecond(),
                    point.receipts.slowestSecond(),
                    point.receipts.fastestSecond(),
                    millis(point.receipts, 50),
                    millis(point.receipts, 99),
                    millis(point.reports, 50),
                    millis(point.reports, 99));
        }
    }

    /** Returns a line per interval, as data. */
    List<ResultRow> toResult(String label) {
        return points.stream().map(point -> line(label, point)).toList();
    }

    private static ResultRow line(String label, Point point) {
        ResultRow line = ResultRow.of(label + ", over time")
                .with(Figure.FROM_SECONDS, point.fromSeconds)
                .with(Figure.ORDERS_PER_SECOND, point.receipts.ordersPerSecond())
                .with(Figure.SLOWEST_SECOND, point.receipts.slowestSecond())
                .with(Figure.FASTEST_SECOND, point.receipts.fastestSecond())
                .with(Figure.P50_MS, millis(point.receipts, 50))
                .with(Figure.P99_MS, millis(point.receipts, 99));
        return point.reports.latencies().getTotalCount() == 0
                ? line
                : line.with(Figure.REPORT_P50_MS, millis(point.reports, 50))
                        .with(Figure.REPORT_P99_MS, millis(point.reports, 99));
    }

    private static double millis(AnswerSeries.Window window, double percentile) {
        return window.latencies().getValueAtPercentile(percentile) / 1e6;
    }
}
