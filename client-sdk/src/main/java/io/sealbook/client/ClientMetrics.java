package io.sealbook.client;

/**
 * Counts since the client was built; a snapshot.
 *
 * @param submittedBatches batches given a place in flight
 * @param submittedOrders orders in them
 * @param committedBatches batches with an agreed receipt
 * @param committedOrders orders in them
 * @param refused batches that ended with {@link SubmitRejectedException}
 * @param expired batches that ended with {@link ExpiredException}
 * @param resubmitted times a batch's bytes were sent again
 * @param reconnects times a lost stream or node was taken up again
 * @param failovers times the client changed the node it submits to
 * @param receiptsIgnored receipts that contradicted the agreed one or named another node
 * @param reports execution reports delivered to the listener
 * @param reportGaps times an engine skipped a sequence and was asked again
 * @param reportsIgnored reports that differed from the agreed ones or were malformed
 * @param slowedDown times the client paused because it sent faster than the broker may
 */
public record ClientMetrics(
        long submittedBatches,
        long submittedOrders,
        long committedBatches,
        long committedOrders,
        long refused,
        long expired,
        long resubmitted,
        long reconnects,
        long failovers,
        long receiptsIgnored,
        long reports,
        long reportGaps,
        long reportsIgnored,
        long slowedDown) {}
