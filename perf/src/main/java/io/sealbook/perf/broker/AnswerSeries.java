package io.sealbook.perf.broker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Answers to orders over time, receipts or reports, so that a rate and latencies can be read for any part of a run.
 * Orders count when they are answered; a latency belongs to the time at which its batch was due, so that a standstill
 * is in the part of the run in which it begins, however late the answers come. Any thread may add.
 */
public final class AnswerSeries {
    private static final long LATENCY_MAX_NS = 120_000_000_000L;
    private static final long BUCKET_NS = 100_000_000;
    private static final int BUCKETS_PER_SECOND = 10;
    /** A histogram is 31 KiB: a run of any length has at most this number of them. */
    private static final int HISTOGRAMS_MAX = 600;

    private static final int NOT_IN_RUN = -1;

    private final long startNs;
    private final long[] orders;
    private final int bucketsPerHistogram;
    private final Histogram[] latencies;

    /**
     * @param startNs of {@link System#nanoTime}
     * @param durationNs orders that are answered later, and latencies of batches that are due later, are left out
     */
    public AnswerSeries(long startNs, long durationNs) {
        this.startNs = startNs;
        int buckets = (int) (durationNs / BUCKET_NS);
        orders = new long[buckets];
        bucketsPerHistogram = Math.max(1, Math.ceilDiv(buckets, HISTOGRAMS_MAX));
        latencies = new Histogram[Math.ceilDiv(buckets, bucketsPerHistogram)];
        for (int i = 0; i < latencies.length; i++) {
            latencies[i] = new Histogram(LATENCY_MAX_NS, 2);
        }
    }

    /**
     * Adds the answer to a batch.
     *
     * @param nowNs time of the answer, of {@link System#nanoTime}; it may be after the end of the run
     * @param orderCount orders of the batch
     * @param latencyNs ns since the batch was due
     */
    synchronized void onAnswered(long nowNs, int orderCount, long latencyNs) {
        int answered = bucket(nowNs);
        if (answered != NOT_IN_RUN) {
            orders[answered] += orderCount;
        }
        int due = bucket(nowNs - latencyNs);
        if (due != NOT_IN_RUN) {
            latencies[due / bucketsPerHistogram].recordValue(Math.min(latencyNs, LATENCY_MAX_NS));
        }
    }

    /** Returns the bucket of a time; {@link #NOT_IN_RUN} if it is not in the run. */
    private int bucket(long timeNs) {
        long bucket = Math.floorDiv(timeNs - startNs, BUCKET_NS);
        return bucket >= 0 && bucket < orders.length ? (int) bucket : NOT_IN_RUN;
    }

    /** Returns the orders answered in the whole run. */
    synchronized long total() {
        return Arrays.stream(orders).sum();
    }

    /**
     * Returns what was answered in the middle third of the run, as the source paper measures, and the latencies of what
     * was due in it: all of them once all answers have come.
     */
    public synchronized Window middleThird() {
        int from = orders.length / 3 / bucketsPerHistogram * bucketsPerHistogram;
        return window(from, orders.length - from);
    }

    /**
     * Returns what was answered in each whole interval of the run, from its start, and the latencies of what was due in
     * it.
     *
     * @param intervalSeconds seconds, at least 1; latencies are those of the nearest {@link #HISTOGRAMS_MAX}th parts of
     *     the run
     */
    public synchronized List<Window> intervals(int intervalSeconds) {
        int length = intervalSeconds * BUCKETS_PER_SECOND;
        List<Window> windows = new ArrayList<>();
        for (int from = 0; from + length <= orders.length; from += length) {
            windows.add(window(from, from + length));
        }
        return windows;
    }

    private Window window(int from, int to) {
        Histogram histogram = new Histogram(LATENCY_MAX_NS, 2);
        for (int i = from / bucketsPerHistogram; i < Math.ceilDiv(to, bucketsPerHistogram); i++) {
            histogram.add(latencies[i]);
        }
        long sum = 0;
        double[] ratePerSecond = new double[(to - from) / BUCKETS_PER_SECOND];
        for (int i = from; i < to; i++) {
            sum += orders[i];
            int second = (i - from) / BUCKETS_PER_SECOND;
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
     * @param latencies ns from the intended time of sending to f+1 equal answers, one value per batch that was due in
     *     the part
     */
    public record Window(double ordersPerSecond, double slowestSecond, double fastestSecond, Histogram latencies) {}
}
