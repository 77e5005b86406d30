package io.sealbook.perf.broker;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** What all brokers of a run have done so far. Any thread may write and read. */
public final class RunStatistics {
    private static final long LATENCY_MAX_NS = 120_000_000_000L;

    private final LongAdder submitted = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder trades = new LongAdder();
    private final Recorder recorder = new Recorder(LATENCY_MAX_NS, 3);

    void onSubmitted(int orders) {
        submitted.add(orders);
    }

    void onCommitted(int orders, long latencyNs) {
        committed.add(orders);
        recorder.recordValue(Math.min(latencyNs, LATENCY_MAX_NS));
    }

    void onFailed(int orders) {
        failed.add(orders);
    }

    void onTrade() {
        trades.increment();
    }

    public long submitted() {
        return submitted.sum();
    }

    public long committed() {
        return committed.sum();
    }

    public long failed() {
        return failed.sum();
    }

    public long trades() {
        return trades.sum();
    }

    /** Returns the latencies (ns, submit to f+1 equal receipts, one for each batch) recorded since the last call. */
    public Histogram takeLatencies() {
        return recorder.getIntervalHistogram();
    }
}
