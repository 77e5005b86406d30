package io.sealbook.perf.quickstart;

import com.google.protobuf.ByteString;
import io.sealbook.perf.broker.RunStatistics;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.PrintStream;
import java.util.HexFormat;
import org.HdrHistogram.Histogram;

/** One line about the run, refreshed in place on a terminal, printed now and then into a file. */
final class ProgressLine implements AutoCloseable {
    private static final long TERMINAL_INTERVAL_MS = 500;
    private static final long FILE_INTERVAL_MS = 5_000;

    private final LocalCluster cluster;
    private final RunStatistics statistics;
    private final PrintStream out;
    private final boolean isTerminal = System.console() != null;
    private final Histogram total = new Histogram(3);
    private final Thread thread = new Thread(this::run, "progress");
    private volatile boolean isDone;
    private long startNs;
    private long lastNs;
    private long lastCommitted;
    private double overallRate;

    ProgressLine(LocalCluster cluster, RunStatistics statistics, PrintStream out) {
        this.cluster = cluster;
        this.statistics = statistics;
        this.out = out;
        thread.setDaemon(true);
    }

    void start() {
        startNs = System.nanoTime();
        lastNs = startNs;
        thread.start();
    }

    /** Prints the line a last time. */
    void finish() throws InterruptedException {
        isDone = true;
        thread.interrupt();
        thread.join();
        overallRate = statistics.committed() * 1e9 / (System.nanoTime() - startNs);
        print();
        out.println();
    }

    String summary() {
        return String.format(
                "%,.0f orders/s; submit to receipt p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                overallRate,
                total.getValueAtPercentile(50) / 1e6,
                total.getValueAtPercentile(99) / 1e6,
                total.getMaxValue() / 1e6);
    }

    @Override
    public void close() {
        isDone = true;
        thread.interrupt();
    }

    static String shortHex(ByteString bytes) {
        String hex = HexFormat.of().formatHex(bytes.toByteArray());
        return hex.substring(0, Math.min(16, hex.length()));
    }

    private void run() {
        while (!isDone) {
            try {
                Thread.sleep(isTerminal ? TERMINAL_INTERVAL_MS : FILE_INTERVAL_MS);
            } catch (InterruptedException e) {
                return;
            }
            print();
        }
    }

    private synchronized void print() {
        Histogram latencies = statistics.takeLatencies();
        total.add(latencies);
        long nowNs = System.nanoTime();
        long committed = statistics.committed();
        double rate = (committed - lastCommitted) * 1e9 / Math.max(1, nowNs - lastNs);
        lastNs = nowNs;
        lastCommitted = committed;
        long block = cluster.nodeStatus(0).map(NodeStatus::getLastDelivered).orElse(-1L);
        String line = String.format(
                "orders in %,d  committed %,d  trades %,d  block %,d  %,.0f orders/s  p50 %.1f ms  p99 %.1f ms",
                statistics.submitted(),
                committed,
                statistics.trades(),
                block,
                rate,
                latencies.getValueAtPercentile(50) / 1e6,
                latencies.getValueAtPercentile(99) / 1e6);
        if (isTerminal) {
            out.print("\r" + line + "\u001b[K");
            out.flush();
        } else {
            out.println(line);
        }
    }
}
