package io.sealbook.perf.broker;

import java.time.Duration;
import java.util.function.LongConsumer;

/** One run of a load: how long it lasts, and what takes the answers to its batches. Any thread may use it. */
public final class LoadRun {
    private final int ordersPerBatch;
    private final long startNs;
    private final long durationNs;
    private final AnswerSeries receipts;
    private final AnswerSeries reports;
    private final LongConsumer receiptListener;
    private volatile boolean isEnded;

    private LoadRun(int ordersPerBatch, long startNs, long durationNs, LongConsumer receiptListener) {
        this.receiptListener = receiptListener;
        this.ordersPerBatch = ordersPerBatch;
        this.startNs = startNs;
        this.durationNs = durationNs;
        this.receipts = new AnswerSeries(startNs, durationNs);
        this.reports = new AnswerSeries(startNs, durationNs);
    }

    /**
     * Returns a run that begins now.
     *
     * @param ordersPerBatch orders in a batch
     * @param duration longest run
     */
    public static LoadRun begin(int ordersPerBatch, Duration duration) {
        return begin(ordersPerBatch, duration, receiptNs -> {});
    }

    /**
     * Returns a run that begins now.
     *
     * @param ordersPerBatch orders in a batch
     * @param duration longest run
     * @param receiptListener is called with the time of each receipt, of {@link System#nanoTime}, on any thread
     */
    public static LoadRun begin(int ordersPerBatch, Duration duration, LongConsumer receiptListener) {
        return new LoadRun(ordersPerBatch, System.nanoTime(), duration.toNanos(), receiptListener);
    }

    /** Notes f+1 equal receipts of a batch, whose latency counts from {@code intendedNs}. */
    void onReceipt(long nowNs, long intendedNs) {
        receipts.onAnswered(nowNs, ordersPerBatch, nowNs - intendedNs);
        receiptListener.accept(nowNs);
    }

    /** Ends the run before its time. */
    public void end() {
        isEnded = true;
    }

    public int ordersPerBatch() {
        return ordersPerBatch;
    }

    /** Returns the time of the start, of {@link System#nanoTime}. */
    public long startNs() {
        return startNs;
    }

    /** Returns what takes f+1 equal receipts, one value per batch. */
    public AnswerSeries receipts() {
        return receipts;
    }

    /** Returns what takes f+1 equal reports: the first of the last order of each batch. */
    public AnswerSeries reports() {
        return reports;
    }

    /** Returns the length of the longest run, in seconds. */
    public double seconds() {
        return durationNs / 1e9;
    }

    /** Returns whether a time, of {@link System#nanoTime}, is before the end of the longest run. */
    boolean contains(long timeNs) {
        return timeNs - startNs < durationNs;
    }

    boolean isOver() {
        return isEnded || !contains(System.nanoTime());
    }
}
