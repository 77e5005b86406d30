package io.sealbook.perf.broker;

import java.util.concurrent.locks.LockSupport;

/** When a broker sends its batches. One thread uses it. */
@FunctionalInterface
public interface Pace {

    /**
     * Waits until the next batch may be sent.
     *
     * @return the time at which it was to be sent, from which its latency counts, in ns of {@link System#nanoTime}
     */
    long awaitNext() throws InterruptedException;

    /**
     * Returns a closed loop: a batch follows as soon as the client takes it.
     *
     * @param pauseMs ms between two batches
     */
    static Pace closedLoop(long pauseMs) {
        return () -> {
            if (pauseMs > 0) {
                Thread.sleep(pauseMs);
            }
            return System.nanoTime();
        };
    }

    /**
     * Returns an open loop: batches are due at fixed times, whatever became of those before. A batch that the client
     * takes late counts from the time at which it was due, so that a platform that stalls is not measured less often.
     *
     * @param firstNs time of the first batch, of {@link System#nanoTime}
     * @param intervalNs ns between two batches
     */
    static Pace openLoop(long firstNs, double intervalNs) {
        return new Pace() {
            private long sent;

            @Override
            public long awaitNext() throws InterruptedException {
                long dueNs = firstNs + (long) (sent * intervalNs);
                sent++;
                for (long nowNs = System.nanoTime(); nowNs < dueNs; nowNs = System.nanoTime()) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                    LockSupport.parkNanos(dueNs - nowNs);
                }
                return dueNs;
            }
        };
    }
}
