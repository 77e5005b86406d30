package io.sealbook.node.payload;

import io.sealbook.vocabulary.Digest;

/**
 * A verified batch with what the node needs to know about it. The bytes are never changed.
 *
 * @param signedBatch OrderBatch and signature, as archived
 * @param origin node whose gateway took the batch, or the peer that sent it here
 * @param arrivalTimeNs this node's clock at admission, since 1970
 * @param receivedNanos System.nanoTime at arrival, for latencies; {@link #BEFORE_START} if it came before a restart
 */
public record Payload(
        Digest batchId,
        byte[] signedBatch,
        int brokerId,
        long nonce,
        long validUntilBlock,
        int orderCount,
        int origin,
        long arrivalTimeNs,
        long receivedNanos) {
    /** An instant of a clock that is gone. */
    public static final long BEFORE_START = Long.MIN_VALUE;
}
