package io.sealbook.client.submission;

import io.sealbook.client.ExpiredException;
import io.sealbook.client.connection.AnswerQuorum;
import java.util.function.BiConsumer;

/**
 * Finds batches that no block can execute any more. Such a batch keeps its place in the session, and is still sent: the
 * ones after it name it. Loop thread only.
 */
final class ExpiryWatch {
    private final ChainHeights heights;
    private final AnswerQuorum quorum;
    private final long unknownAfterNs;
    private final BiConsumer<OutgoingBatch, ExpiredException> expired;

    /**
     * @param heights what the nodes have passed
     * @param unknownAfterNs how long too few nodes may be beyond a batch before its outcome is called unknown
     * @param expired receives each batch once
     */
    ExpiryWatch(ChainHeights heights, long unknownAfterNs, BiConsumer<OutgoingBatch, ExpiredException> expired) {
        this.heights = heights;
        this.quorum = heights.quorum();
        this.unknownAfterNs = unknownAfterNs;
        this.expired = expired;
    }

    /** Looks at all batches. */
    void check(BatchLine line) {
        long passed = Math.max(heights.proven(), heights.provenReceipts());
        for (OutgoingBatch batch : line.all()) {
            if (batch.isSigned && !batch.isSettled && batch.sealed().validUntilBlock() <= passed) {
                onPassed(batch);
            }
        }
    }

    /** Decides about a batch whose last admissible block f+1 nodes have reached. */
    private void onPassed(OutgoingBatch batch) {
        long validUntil = batch.sealed().validUntilBlock();
        int without = 0;
        for (int node = 0; node < quorum.nodeCount(); node++) {
            if (heights.receiptsThrough(node) >= validUntil && !batch.tally.hasReceiptOf(node)) {
                without++;
            }
        }
        long nowNs = System.nanoTime();
        if (without >= quorum.needed() || batch.sendCount == 0 && !batch.isOfEarlierRun) {
            settle(batch, ExpiredException.Outcome.NOT_EXECUTED, without + " nodes are beyond it without the batch");
        } else if (!batch.isExpiredSeen) {
            batch.isExpiredSeen = true;
            batch.expiredSinceNs = nowNs;
        } else if (nowNs - batch.expiredSinceNs > unknownAfterNs) {
            settle(
                    batch,
                    ExpiredException.Outcome.UNKNOWN,
                    "only " + without + " nodes are known to be beyond it without the batch, needed are "
                            + quorum.needed());
        }
    }

    private void settle(OutgoingBatch batch, ExpiredException.Outcome outcome, String fact) {
        expired.accept(batch, new ExpiredException(outcome, batch.sealed().validUntilBlock(), fact));
    }
}
