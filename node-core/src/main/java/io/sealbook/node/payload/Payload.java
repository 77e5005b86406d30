package io.sealbook.node.payload;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;

/**
 * A verified batch with what the node needs to know about it. The bytes are never changed.
 *
 * @param signedBatch OrderBatch and signature, as archived
 * @param brokerId unsigned
 * @param position of the batch in its session
 * @param origin node whose gateway took the batch, or the peer that sent it here
 * @param arrivalTimeNs this node's clock at admission, since 1970
 * @param receivedNanos System.nanoTime at arrival, for latencies; {@link #BEFORE_START} if it came before a restart
 */
public record Payload(
        Digest batchId,
        byte[] signedBatch,
        int brokerId,
        BatchPosition position,
        long validUntilBlock,
        int orderCount,
        int origin,
        long arrivalTimeNs,
        long receivedNanos) {
    /** An instant of a clock that is gone. */
    public static final long BEFORE_START = Long.MIN_VALUE;

    /** Returns the session of the batch among those of all brokers. */
    public long sessionKey() {
        return SessionKey.of(brokerId, position.session());
    }

    /** Returns the number of the batch in its session. */
    public long number() {
        return position.number();
    }

    /** Returns the batch as an input of agreement. */
    public Input.BatchAvailable available() {
        return new Input.BatchAvailable(new SessionEnd(sessionKey(), number(), batchId), position.previous());
    }
}
