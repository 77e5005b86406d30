package io.sealbook.client.reports;

import io.sealbook.client.Checkpointer;
import io.sealbook.client.ExecutionReportListener;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * Which reports are delivered, and to whom.
 *
 * @param brokerId whose reports
 * @param firstReport sequence of the first to deliver, from 1; {@link #FROM_NOW} for the first new one
 * @param needed returns how many engines must vouch for the same reports at present
 * @param engineCapacity ids of nodes are below it
 * @param queueMax agreed reports that may wait for the listener, at least 1
 * @param patienceNs how long the engine that sends reports may be behind what others vouch for without a new run
 * @param listener called on a thread of its own
 * @param checkpointer called after the listener; the pipeline does not close it
 */
public record ReportConfig(
        int brokerId,
        long firstReport,
        IntSupplier needed,
        int engineCapacity,
        int queueMax,
        long patienceNs,
        ExecutionReportListener listener,
        Optional<Checkpointer> checkpointer) {
    /** Asks engines how far the reports go, and begins with the next one. */
    public static final long FROM_NOW = 0;
}
