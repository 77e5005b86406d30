package io.sealbook.perf.broker;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Answers to orders over time, receipts or reports, so that a rate and latencies can be read for any part of a run. Any
 * thread may add.
 */
public final class AnswerSeries {
    private static final long LATENCY_MAX_NS = 120_000_000_000L;
    private static final long BUCKET_NS = 100_000_000;

    private final long startNs;
    private final long[] orders;
    private final Histogram[] latencies;

    /**
     * @param startNs of {@link System#nanoTime}
     * @param durationNs later answers are left out
     */
    public AnswerSeries(long startNs, long durationNs) {
        this.startNs = startNs;
        int buckets = (int) (durationNs / BUCKET_NS);
        orders = new long[buckets];
        latencies = new Histogram[buckets];
        for (int i = 0; i < buckets; i++) {
            latencies[i] = new Histogram(LATENCY_MAX_NS, 2);
        }
    }

    synchronized void onAnswered(long nowNs, int orderCount, long latencyNs) {
        long bucket = (nowNs - startNs) / BUCKET_NS;
        if (bucket >= 0 && bucket < orders.length) {
            orders[(int) bucket] += orderCount;
            latencies[(int) bucket].recordValue(Math.min(latencyNs, LATENCY_MAX_NS));
        }
    }

    /** Returns the orders answered in the whole run. */
    synchronized long total() {
        return Arrays.stream(orders).sum();
    }

    /** Returns what was answered in the middle third of the run, as the source paper measures. */
    public synchronized Window middleThird() {
        int from = orders.length / 3;
        int to = orders.length - from;
        Histogram histogram = new Histogram(LATENCY_MAX_NS, 2);
        long sum = 0;
        double[] ratePerSecond = new double[(to - from) / 10];
        for (int i = from; i < to; i++) {
            sum += orders[i];
            histogram.add(latencies[i]);
            int second = (i - from) / 10;
            if (second < ratePerSecond.length) {
                ratePerSecond[second] += orders[i];
            }
        }
        Arrays.sort(ratePerSecond);
        double seconds = (to - from) * BUCKET_NS / 1e9;
        return new Window(
                sum / seconds,
                ratePerSecond.length == 0 ? 0 : ratePerSecond[0],
                ratePerSecond.length == 0 ? 0 : ratePerSecond[ratePerSecond.length - 1],
                histogram);
    }

    /**
     * A part of a run.
     *
     * @param ordersPerSecond mean rate
     * @param slowestSecond orders answered in the slowest second
     * @param fastestSecond orders answered in the fastest second
     * @param latencies ns from the intended time of sending to f+1 equal answers, one value per batch
     */
    public record Window(double ordersPerSecond, double slowestSecond, double fastestSecond, Histogram latencies) {}
}
