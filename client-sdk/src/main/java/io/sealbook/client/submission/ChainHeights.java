package io.sealbook.client.submission;

import io.sealbook.client.connection.AnswerQuorum;
import java.util.Arrays;

/**
 * What the nodes say about the chain's height. A claim counts once f+1 nodes have reached it, so that no single node
 * can move the client's validity windows. Written by the client loop; {@link #proven} may be read by any thread.
 */
final class ChainHeights {
    private static final long UNKNOWN = -1;

    private final long[] delivered;
    private final long[] receiptsThrough;
    private final AnswerQuorum quorum;
    private volatile long proven = UNKNOWN;

    ChainHeights(AnswerQuorum quorum) {
        this.delivered = new long[quorum.capacity()];
        this.receiptsThrough = new long[quorum.capacity()];
        this.quorum = quorum;
        Arrays.fill(delivered, UNKNOWN);
        Arrays.fill(receiptsThrough, UNKNOWN);
    }

    /** Returns how many nodes must say the same. */
    AnswerQuorum quorum() {
        return quorum;
    }

    /** Notes the last block that a node says it has delivered. */
    void delivered(int nodeId, long block) {
        if (block > delivered[nodeId]) {
            delivered[nodeId] = block;
            // A node that is forgotten takes nothing back that was proven before.
            proven = Math.max(proven, neededHighest(delivered));
        }
    }

    /** Forgets what a node said. */
    void forget(int nodeId) {
        delivered[nodeId] = UNKNOWN;
        receiptsThrough[nodeId] = UNKNOWN;
    }

    boolean isKnown() {
        return proven != UNKNOWN;
    }

    /** Returns the highest block that f+1 nodes have reached; one of them is correct. */
    long proven() {
        return proven;
    }

    /** Notes that a stream of receipts starts after the given block. */
    void receiptsStartBehind(int nodeId, long block) {
        receiptsThrough[nodeId] = block;
    }

    /** Notes that a node has sent all its receipts up to and including the given block. */
    void receiptsThrough(int nodeId, long block) {
        receiptsThrough[nodeId] = Math.max(receiptsThrough[nodeId], block);
    }

    long receiptsThrough(int nodeId) {
        return receiptsThrough[nodeId];
    }

    /** Returns the highest block up to which f+1 nodes have sent all their receipts. */
    long provenReceipts() {
        return neededHighest(receiptsThrough);
    }

    private long neededHighest(long[] heights) {
        long[] sorted = Arrays.copyOf(heights, quorum.nodeCount());
        Arrays.sort(sorted);
        return sorted[sorted.length - quorum.needed()];
    }
}
