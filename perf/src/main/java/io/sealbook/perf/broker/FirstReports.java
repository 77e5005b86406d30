package io.sealbook.perf.broker;

import io.sealbook.client.ExecutionReport;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which orders of a broker still wait for their first execution report, and since when.
 *
 * <p>One thread sends, one hears reports; any thread may ask for the count.
 */
final class FirstReports {
    /** Orders that may wait for their first report. Beyond, the broker waits: it never sends what it cannot count. */
    private static final int CAPACITY = 1 << 19;

    private static final int MASK = CAPACITY - 1;
    private static final long NONE = Long.MIN_VALUE;
    private static final long LAST_OF_BATCH = 1;

    /** By ClOrdID: the intended time of sending, with the mark {@link #LAST_OF_BATCH} in its lowest bit. */
    private final AtomicLongArray waiting = new AtomicLongArray(CAPACITY);

    private final AtomicLong missing = new AtomicLong();
    private volatile long lastExpected;
    private volatile LoadRun run;

    FirstReports() {
        for (int slot = 0; slot < CAPACITY; slot++) {
            waiting.setPlain(slot, NONE);
        }
    }

    void begin(LoadRun newRun) {
        run = newRun;
    }

    /**
     * Notes an order before it is sent. Returns false, and notes nothing, while the order before it in its slot has no
     * report.
     *
     * @param clOrdId its ClOrdID, consecutive
     * @param intendedNs time at which it was to be sent, of {@link System#nanoTime}
     * @param isLastOfBatch whether its report completes the batch
     */
    boolean expect(long clOrdId, long intendedNs, boolean isLastOfBatch) {
        int slot = (int) clOrdId & MASK;
        if (waiting.get(slot) != NONE) {
            return false;
        }
        missing.incrementAndGet();
        // Before the slot is taken: a late report of its former order must not pass for the first of this one.
        lastExpected = clOrdId;
        waiting.set(slot, isLastOfBatch ? intendedNs | LAST_OF_BATCH : intendedNs & ~LAST_OF_BATCH);
        return true;
    }

    void onReport(ExecutionReport report) {
        int slot = (int) report.clOrdId() & MASK;
        long noted = waiting.get(slot);
        if (noted == NONE || report.clOrdId() <= lastExpected - CAPACITY) {
            return; // A later report of an order.
        }
        waiting.set(slot, NONE);
        if ((noted & LAST_OF_BATCH) != 0) {
            LoadRun current = run;
            long nowNs = System.nanoTime();
            current.reports().onAnswered(nowNs, current.ordersPerBatch(), nowNs - noted);
        }
        missing.decrementAndGet();
    }

    /** Returns how many orders have no report yet. */
    long missing() {
        return missing.get();
    }
}
