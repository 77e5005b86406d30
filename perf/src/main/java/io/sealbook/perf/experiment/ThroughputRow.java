package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.CommitSeries;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One line of the throughput table. Rates in orders a second, latencies in ms, processor time in µs of all processes
 * for one order; and the share of this machine's processor time that its host took, which is no fault of the
 * platform's.
 */
record ThroughputRow(
        int ordersPerBatch,
        double ordersPerSecond,
        double slowestSecond,
        double fastestSecond,
        double meanMs,
        double p50Ms,
        double p99Ms,
        double nodeMicros,
        double engineMicros,
        double brokerMicros,
        double stolenPercent) {
    /** Orders a second and mean latency (ms) of the source paper's table 9: 4 replicas of 16 cores. */
    private static final Map<Integer, double[]> PAPER = Map.of(
            1, new double[] {22_630, 22},
            10, new double[] {216_000, 23},
            20, new double[] {405_420, 25},
            30, new double[] {553_980, 27});

    static ThroughputRow of(int ordersPerBatch, CommitSeries.Window window, CpuTimes cpu, double seconds, long orders) {
        return new ThroughputRow(
                ordersPerBatch,
                window.ordersPerSecond(),
                window.slowestSecond(),
                window.fastestSecond(),
                window.latencies().getMean() / 1e6,
                window.latencies().getValueAtPercentile(50) / 1e6,
                window.latencies().getValueAtPercentile(99) / 1e6,
                cpu.nodes() * 1e6 / orders,
                cpu.engines() * 1e6 / orders,
                cpu.brokers() * 1e6 / orders,
                100 * cpu.stolen() / (seconds * Runtime.getRuntime().availableProcessors()));
    }

    static void print(List<ThroughputRow> rows, PrintStream out, String durability) {
        out.printf(
                "%nDurability class: %s. Cores of this machine: %d, shared by all nodes, engines and brokers.%n",
                durability, Runtime.getRuntime().availableProcessors());
        out.println("orders/  ours:                                                              "
                + "| CPU us/order             | host  | paper (64 cores):");
        out.println("batch    orders/s  (slowest..fastest s)   mean ms   p50 ms   p99 ms         "
                + "|  nodes  engines  brokers | took  |  orders/s  mean ms");
        for (ThroughputRow row : rows) {
            double[] paper = PAPER.get(row.ordersPerBatch);
            out.printf(
                    Locale.ROOT,
                    "%5d  %,10.0f  (%,9.0f ..%,9.0f)  %8.1f %8.1f %8.1f         "
                            + "| %6.2f   %6.2f   %6.2f | %4.1f%% | %s%n",
                    row.ordersPerBatch,
                    row.ordersPerSecond,
                    row.slowestSecond,
                    row.fastestSecond,
                    row.meanMs,
                    row.p50Ms,
                    row.p99Ms,
                    row.nodeMicros,
                    row.engineMicros,
                    row.brokerMicros,
                    row.stolenPercent,
                    paper == null ? "" : String.format(Locale.ROOT, "%,9.0f  %7.0f", paper[0], paper[1]));
        }
    }

    /** Returns this line as data. */
    ResultRow toResult(String label) {
        return ResultRow.of(label)
                .with(Figure.ORDERS_PER_BATCH, ordersPerBatch)
                .with(Figure.ORDERS_PER_SECOND, ordersPerSecond)
                .with(Figure.SLOWEST_SECOND, slowestSecond)
                .with(Figure.FASTEST_SECOND, fastestSecond)
                .with(Figure.MEAN_MS, meanMs)
                .with(Figure.P50_MS, p50Ms)
                .with(Figure.P99_MS, p99Ms)
                .with(Figure.NODE_MICROS, nodeMicros)
                .with(Figure.ENGINE_MICROS, engineMicros)
                .with(Figure.BROKER_MICROS, brokerMicros)
                .with(Figure.STOLEN_PERCENT, stolenPercent);
    }
}
