package io.sealbook.client.metrics;

import io.sealbook.client.ClientMetrics;
import java.util.concurrent.atomic.LongAdder;

/** The running counts of {@link ClientMetrics}; any thread. */
public final class ClientCounters {
    public final LongAdder submittedBatches = new LongAdder();
    public final LongAdder submittedOrders = new LongAdder();
    public final LongAdder committedBatches = new LongAdder();
    public final LongAdder committedOrders = new LongAdder();
    public final LongAdder refused = new LongAdder();
    public final LongAdder expired = new LongAdder();
    public final LongAdder resubmitted = new LongAdder();
    public final LongAdder reconnects = new LongAdder();
    public final LongAdder failovers = new LongAdder();
    public final LongAdder receiptsIgnored = new LongAdder();
    public final LongAdder reports = new LongAdder();
    public final LongAdder reportGaps = new LongAdder();
    public final LongAdder reportsIgnored = new LongAdder();
    public final LongAdder slowedDown = new LongAdder();

    /** Returns the present counts, which may be of neighbouring moments. */
    public ClientMetrics snapshot() {
        return new ClientMetrics(
                submittedBatches.sum(),
                submittedOrders.sum(),
                committedBatches.sum(),
                committedOrders.sum(),
                refused.sum(),
                expired.sum(),
                resubmitted.sum(),
                reconnects.sum(),
                failovers.sum(),
                receiptsIgnored.sum(),
                reports.sum(),
                reportGaps.sum(),
                reportsIgnored.sum(),
                slowedDown.sum());
    }
}
