package io.sealbook.client.submission;

import io.sealbook.vocabulary.SignedBatch;

/**
 * How batches are built and sent.
 *
 * @param batchSizeMax orders at which an automatic batch is closed
 * @param batchDelayNs after which an automatic batch is closed however few orders it has; 0 closes it at once
 * @param inFlightMax batches without a result at which the caller is held back
 * @param submitTimeoutNs how long a caller is held back at most
 * @param validityBlocks how many blocks beyond the highest known one a batch stays valid
 * @param signingThreads threads that encode and sign
 * @param receiptTimeoutNs after which a batch without an agreed receipt is sent to another node
 * @param retryMaxNs longest wait that a busy node may ask for
 */
public record SubmissionConfig(
        int batchSizeMax,
        long batchDelayNs,
        int inFlightMax,
        long submitTimeoutNs,
        long validityBlocks,
        int signingThreads,
        long receiptTimeoutNs,
        long retryMaxNs) {

    public SubmissionConfig {
        require(
                batchSizeMax >= 1 && batchSizeMax <= SignedBatch.ORDER_COUNT_LIMIT,
                "batchSizeMax " + batchSizeMax + ", admitted are 1.." + SignedBatch.ORDER_COUNT_LIMIT);
        require(batchDelayNs >= 0, "batchDelay is negative");
        require(inFlightMax >= 1, "inFlightMax " + inFlightMax);
        require(submitTimeoutNs >= 0, "submitTimeout is negative");
        require(validityBlocks >= 1, "validityBlocks " + validityBlocks);
        require(signingThreads >= 1, "signingThreads " + signingThreads);
        require(receiptTimeoutNs > 0, "receiptTimeout is not positive");
        require(retryMaxNs > 0, "retryMax is not positive");
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
