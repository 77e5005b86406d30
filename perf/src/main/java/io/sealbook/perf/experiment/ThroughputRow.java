package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.AnswerSeries;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One line of the throughput table: rates of orders with f+1 receipts, per second; latencies in ms, to f+1 receipts and
 * to f+1 reports (0 if brokers hear none); processor time in µs of all processes for one order; the share of this
 * machine's processor time that its host took, for which the platform is not to blame; who was behind at the end; and
 * the same over time. Submitted orders per second are those of the whole run, and those that were intended are 0 in a
 * closed loop.
 */
record ThroughputRow(
        int ordersPerBatch,
        double intendedPerSecond,
        double submittedPerSecond,
        double ordersPerSecond,
        double slowestSecond,
        double fastestSecond,
        double meanMs,
        double p50Ms,
        double p99Ms,
        BlockPhases phases,
        double reportP50Ms,
        double reportP99Ms,
        double nodeMicros,
        List<Double> microsByNode,
        double engineMicros,
        double brokerMicros,
        double stolenPercent,
        Lag lag,
        RateSeries series) {
    /** Orders per second and mean latency (ms) of the source paper's table 9: 4 replicas of 16 cores. */
    private static final Map<Integer, double[]> PAPER = Map.of(
            1, new double[] {22_630, 22},
            10, new double[] {216_000, 23},
            20, new double[] {405_420, 25},
            30, new double[] {553_980, 27});

    static ThroughputRow of(
            LoadRun run,
            double intendedPerSecond,
            BlockPhases phases,
            CpuTimes cpu,
            List<Double> microsByNode,
            double seconds,
            long orders,
            Lag lag,
            RateSeries series) {
        AnswerSeries.Window receipts = run.receipts().middleThird();
        AnswerSeries.Window reports = run.reports().middleThird();
        return new ThroughputRow(
                run.ordersPerBatch(),
                intendedPerSecond,
                orders / run.seconds(),
                receipts.ordersPerSecond(),
                receipts.slowestSecond(),
                receipts.fastestSecond(),
                receipts.latencies().getMean() / 1e6,
                receipts.latencies().getValueAtPercentile(50) / 1e6,
                receipts.latencies().getValueAtPercentile(99) / 1e6,
                phases,
                reports.latencies().getValueAtPercentile(50) / 1e6,
                reports.latencies().getValueAtPercentile(99) / 1e6,
                cpu.nodes() * 1e6 / orders,
                microsByNode,
                cpu.engines() * 1e6 / orders,
                cpu.brokers() * 1e6 / orders,
                100 * cpu.stolen() / (seconds * Runtime.getRuntime().availableProcessors()),
                lag,
                series);
    }

    static void print(List<ThroughputRow> rows, PrintStream out, String durability) {
        out.printf(
                "%nDurability class: %s. Cores of this machine: %d, shared by all nodes, engines and brokers.%n",
                durability, Runtime.getRuntime().availableProcessors());
        out.println("orders/  ours:                                       to receipt                 | to report      "
                + " | CPU us/order             | host  | paper (64 cores):");
        out.println("batch    orders/s  (slowest..fastest s)   mean ms   p50 ms   p99 ms   |  p50 ms   p99 ms"
                + " |  nodes  engines  brokers | took  |  orders/s  mean ms");
        for (ThroughputRow row : rows) {
            double[] paper = PAPER.get(row.ordersPerBatch);
            out.printf(
                    Locale.ROOT,
                    "%5d  %,10.0f  (%,9.0f ..%,9.0f)  %8.1f %8.1f %8.1f   | %7s %8s"
                            + " | %6.2f   %6.2f   %6.2f | %4.1f%% | %s%n",
                    row.ordersPerBatch,
                    row.ordersPerSecond,
                    row.slowestSecond,
                    row.fastestSecond,
                    row.meanMs,
                    row.p50Ms,
                    row.p99Ms,
                    millis(row.reportP50Ms),
                    millis(row.reportP99Ms),
                    row.nodeMicros,
                    row.engineMicros,
                    row.brokerMicros,
                    row.stolenPercent,
                    paper == null ? "" : String.format(Locale.ROOT, "%,9.0f  %7.0f", paper[0], paper[1]));
        }
        for (ThroughputRow row : rows) {
            if (row.intendedPerSecond > 0) {
                out.printf(
                        Locale.ROOT,
                        "Brokers submitted %,.0f orders/s in batches of %d, %,.0f were intended%n",
                        row.submittedPerSecond,
                        row.ordersPerBatch,
                        row.intendedPerSecond);
            }
            out.println(
                    "After the last receipt of the run with " + row.ordersPerBatch + " orders per batch, " + row.lag);
        }
    }

    /** Prints the processor time of each node: what a change costs beside nodes without it. */
    static void printByNode(List<ThroughputRow> rows, PrintStream out) {
        for (ThroughputRow row : rows) {
            out.printf(
                    Locale.ROOT,
                    "Processor time with %d orders per batch, us/order by node: %s%n",
                    row.ordersPerBatch,
                    row.microsByNode.stream()
                            .map(micros -> String.format(Locale.ROOT, "%.3f", micros))
                            .collect(Collectors.joining("  ")));
        }
    }

    /** Returns the processor time of each node as data. */
    List<ResultRow> nodesToResult(String label) {
        return IntStream.range(0, microsByNode.size())
                .mapToObj(
                        node -> ResultRow.of(label + ", node " + node).with(Figure.NODE_MICROS, microsByNode.get(node)))
                .toList();
    }

    private static String millis(double value) {
        return value == 0 ? "-" : String.format(Locale.ROOT, "%.1f", value);
    }

    /** Returns the processor time of all processes for one order, in µs. */
    double allMicros() {
        return nodeMicros + engineMicros + brokerMicros;
    }

    /** Returns this line as data. */
    ResultRow toResult(String label) {
        return addTo(ResultRow.of(label));
    }

    /** Adds the figures to a line, which may have orders per batch already, and returns it. */
    ResultRow addTo(ResultRow line) {
        line.with(Figure.ORDERS_PER_BATCH, ordersPerBatch);
        if (intendedPerSecond > 0) {
            line.with(Figure.SUBMITTED_PER_SECOND, submittedPerSecond);
        }
        phases.addTo(line.with(Figure.ORDERS_PER_SECOND, ordersPerSecond)
                .with(Figure.SLOWEST_SECOND, slowestSecond)
                .with(Figure.FASTEST_SECOND, fastestSecond)
                .with(Figure.MEAN_MS, meanMs)
                .with(Figure.P50_MS, p50Ms)
                .with(Figure.P99_MS, p99Ms)
                .with(Figure.NODE_MICROS, nodeMicros)
                .with(Figure.ENGINE_MICROS, engineMicros)
                .with(Figure.BROKER_MICROS, brokerMicros)
                .with(Figure.STOLEN_PERCENT, stolenPercent)
                .with(Figure.NODE_LAG_BLOCKS, lag.nodeBlocks())
                .with(Figure.ENGINE_LAG_BLOCKS, lag.engineBlocks())
                .with(Figure.DATABASE_LAG_BLOCKS, lag.databaseBlocks())
                .with(Figure.MISSING_REPORTS, lag.missingReports()));
        return reportP50Ms == 0
                ? line
                : line.with(Figure.REPORT_P50_MS, reportP50Ms).with(Figure.REPORT_P99_MS, reportP99Ms);
    }
}
