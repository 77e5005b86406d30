package io.sealbook.perf.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** When receipts came, in ns of {@link System#nanoTime}. Any thread. */
final class ReceiptTimes {
    private final List<Long> times = new ArrayList<>();

    synchronized void add(long nowNs) {
        times.add(nowNs);
        notifyAll();
    }

    synchronized void clear() {
        times.clear();
    }

    /**
     * Waits for further receipts.
     *
     * @param count how many
     * @param timeout the longest wait
     * @throws IOException if they do not come
     */
    synchronized void awaitFurther(int count, Duration timeout) throws IOException, InterruptedException {
        int enough = times.size() + count;
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (times.size() < enough) {
            long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new IOException("no " + count + " receipts within " + timeout);
            }
            wait(leftMs);
        }
    }

    /**
     * Returns when the longest interval without a receipt ended that began at this time or later.
     *
     * @throws IllegalStateException if no receipt came since
     */
    synchronized long endOfLongestPauseAfter(long fromNs) {
        List<Long> later = times.stream().filter(time -> time > fromNs).sorted().toList();
        if (later.isEmpty()) {
            throw new IllegalStateException("no receipt came");
        }
        long before = fromNs;
        long longest = -1;
        long end = fromNs;
        for (long time : later) {
            if (time - before > longest) {
                longest = time - before;
                end = time;
            }
            before = time;
        }
        return end;
    }
}
