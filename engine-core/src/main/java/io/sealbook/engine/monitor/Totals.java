package io.sealbook.engine.monitor;

import io.sealbook.protocol.sbe.RejectReason;

/**
 * Sums over all executed blocks since block 1; they are part of a snapshot, so a restart does not reset them. Written
 * by the loop.
 *
 * @param orders entries of all batches
 * @param rejects by the code of the reason; the length is {@link #REASON_COUNT}
 */
public record Totals(long batches, long orders, long trades, long reports, long[] rejects) {
    /** Codes of reject reasons lie below this. */
    public static final int REASON_COUNT = 32;

    public static Totals none() {
        return new Totals(0, 0, 0, 0, new long[REASON_COUNT]);
    }

    public long rejected() {
        long sum = 0;
        for (long count : rejects) {
            sum += count;
        }
        return sum;
    }

    public long rejected(RejectReason reason) {
        return rejects[reason.value()];
    }
}
