package io.sealbook.client.reports;

import io.sealbook.client.Checkpointer;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.connection.AnswerQuorum;
import java.util.Optional;

/**
 * Which reports are delivered, and to whom.
 *
 * @param brokerId whose reports
 * @param firstReport sequence of the first to deliver, from 1; {@link #FROM_NOW} for the first new one
 * @param quorum how many engines must vouch for the same reports
 * @param queueMax agreed reports that may wait for the listener, at least 1
 * @param patienceNs how long the engine that sends reports may be behind what others vouch for
 * @param listener called on a thread of its own
 * @param checkpointer called after the listener; the pipeline does not close it
 */
public record ReportConfig(
        int brokerId,
        long firstReport,
        AnswerQuorum quorum,
        int queueMax,
        long patienceNs,
        ExecutionReportListener listener,
        Optional<Checkpointer> checkpointer) {
    /** Asks engines how far the reports go, and begins with the next one. */
    public static final long FROM_NOW = 0;
}
