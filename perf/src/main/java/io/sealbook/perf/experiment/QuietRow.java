package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.cluster.ProcessCounts;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One line of the table of a cluster that has little to do.
 *
 * @param ordersPerBatch orders in a batch
 * @param batchesPerSecond intended rate, 0 without load
 * @param batches that brokers have submitted
 * @param seconds that the counts cover: the run and the wait for its last receipts
 * @param members counts of all nodes and engines
 * @param brokers counts of the brokers' process
 * @param frames that nodes sent each other, heartbeats among them
 * @param cpu processor time of all processes
 * @param run answers; null without load
 */
record QuietRow(
        int ordersPerBatch,
        int batchesPerSecond,
        long batches,
        double seconds,
        ProcessCounts members,
        ProcessCounts brokers,
        double frames,
        CpuTimes cpu,
        LoadRun run) {
    private static final double NS_PER_MS = 1e6;
    private static final double MS_PER_SECOND = 1e3;

    private String label() {
        return batchesPerSecond == 0 ? "no load" : batchesPerSecond + " batches/s of " + ordersPerBatch;
    }

    /** Returns the batches per second that brokers have submitted, 0 without load. */
    double submittedPerSecond() {
        return run == null ? 0 : batches / run.seconds();
    }

    /** Returns this line as data. */
    ResultRow toResult() {
        ResultRow row = ResultRow.of(label())
                .with(Figure.BATCHES_PER_SECOND, submittedPerSecond())
                .with(Figure.ORDERS_PER_BATCH, ordersPerBatch)
                .with(Figure.MEMBER_CORES, (cpu.nodes() + cpu.engines()) / seconds)
                .with(Figure.BROKER_CORES, cpu.brokers() / seconds)
                .with(Figure.MEMBER_WAKE_UPS, members.allWakeUps() / seconds)
                .with(Figure.BROKER_WAKE_UPS, brokers.allWakeUps() / seconds)
                .with(Figure.MEMBER_PREEMPTIONS, members.preemptions() / seconds)
                .with(Figure.MEMBER_READS, members.reads() / seconds)
                .with(Figure.MEMBER_WRITES, members.writes() / seconds)
                .with(Figure.MEMBER_FRAMES, frames / seconds)
                .with(
                        Figure.STOLEN_PERCENT,
                        100 * cpu.stolen() / (seconds * Runtime.getRuntime().availableProcessors()));
        if (run == null) {
            return row;
        }
        Histogram receipts = run.receipts().middleThird().latencies();
        Histogram reports = run.reports().middleThird().latencies();
        return row.with(Figure.MEMBER_BATCH_WAKE_UPS, members.allWakeUps() / batches)
                .with(Figure.BATCH_CORE_MS, (cpu.nodes() + cpu.engines() + cpu.brokers()) * MS_PER_SECOND / batches)
                .with(Figure.P50_MS, receipts.getValueAtPercentile(50) / NS_PER_MS)
                .with(Figure.P99_MS, receipts.getValueAtPercentile(99) / NS_PER_MS)
                .with(Figure.REPORT_P50_MS, reports.getValueAtPercentile(50) / NS_PER_MS)
                .with(Figure.REPORT_P99_MS, reports.getValueAtPercentile(99) / NS_PER_MS);
    }

    /**
     * Prints lines, one figure under the other.
     *
     * @param rows lines of one cluster
     * @param threadCount threads that wake most, to print with each line
     * @param out gets the text
     */
    static void print(List<QuietRow> rows, int threadCount, PrintStream out) {
        for (QuietRow row : rows) {
            ResultRow figures = row.toResult();
            out.println(figures.label());
            figures.figures()
                    .forEach((key, value) -> out.printf(
                            Locale.ROOT,
                            "  %-42s%12.2f%n",
                            Figure.of(key).orElseThrow().heading(),
                            value));
            printThreads("members", row.members, row, threadCount, out);
            printThreads("brokers", row.brokers, row, threadCount, out);
        }
    }

    private static void printThreads(
            String processes, ProcessCounts counts, QuietRow row, int threadCount, PrintStream out) {
        counts.wakeUps().entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(threadCount)
                .forEach(thread -> out.printf(
                        Locale.ROOT,
                        "  %-42s%12.2f%n",
                        processes + ", " + thread.getKey() + ", wake-ups/s",
                        thread.getValue() / row.seconds));
    }
}
