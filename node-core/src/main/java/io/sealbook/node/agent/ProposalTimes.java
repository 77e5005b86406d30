package io.sealbook.node.agent;

import io.sealbook.node.port.BlockTimes;
import java.util.TreeMap;

/**
 * When this replica made or voted for each proposal that is not delivered yet: as many as lie between the watermarks.
 * Agent thread only.
 */
final class ProposalTimes {
    private final TreeMap<Long, Long> acceptedNs = new TreeMap<>();

    /**
     * Notes a proposal; of several for one sequence number the first counts.
     *
     * @param sequence of the block
     * @param nowNs monotonic clock
     */
    void onAccepted(long sequence, long nowNs) {
        acceptedNs.putIfAbsent(sequence, nowNs);
    }

    /**
     * Forgets the proposals up to a block that is delivered, and returns its instants.
     *
     * @param sequence of the block
     * @param nowNs monotonic clock
     */
    BlockTimes onDelivered(long sequence, long nowNs) {
        Long proposedNs = acceptedNs.get(sequence);
        discardThrough(sequence);
        return new BlockTimes(BlockTimes.UNKNOWN, proposedNs == null ? BlockTimes.UNKNOWN : proposedNs, nowNs);
    }

    /** Forgets the proposals up to a block that came in another way. */
    void discardThrough(long sequence) {
        acceptedNs.headMap(sequence, true).clear();
    }

    int count() {
        return acceptedNs.size();
    }
}
