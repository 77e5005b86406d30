package io.sealbook.peer.offload;

import java.util.Arrays;

/**
 * How much time the votes of each peer may take of the thread that checks votes. All peers that may be faulty together
 * get at most half of it: each has a share of 1 / 2f, and saves up to a second of it for a view change. A peer that has
 * used its share up is not read until it has it again, at most for {@link #REST_MAX_NS}, so that what it sends waits at
 * the peer. One thread.
 */
final class PeerBudget {
    static final long SAVED_MAX_NS = 1_000_000_000;
    static final long REST_MAX_NS = 1_000_000_000;

    private final int divisor;
    private final long[] savedNs;
    private final long[] updatedNs;

    /** @param nodeCount nodes of the epoch, 1 or more */
    PeerBudget(int nodeCount) {
        divisor = 2 * Math.max(1, (nodeCount - 1) / 3);
        savedNs = new long[nodeCount];
        updatedNs = new long[nodeCount];
        Arrays.fill(savedNs, SAVED_MAX_NS);
    }

    /**
     * Takes what the votes of a peer cost from its share.
     *
     * @param peer from 0
     * @param spentNs time that they took
     * @param nowNs monotonic clock
     * @return how long the peer must not be read, 0 if it has time left
     */
    long spend(int peer, long spentNs, long nowNs) {
        // One that was not heard for long has a full share; the first time there is nothing to add.
        long earnedNs = Math.min(SAVED_MAX_NS, Math.max(0, nowNs - updatedNs[peer]) / divisor);
        updatedNs[peer] = nowNs;
        long saved = Math.min(SAVED_MAX_NS, savedNs[peer] + earnedNs) - spentNs;
        savedNs[peer] = Math.max(saved, -REST_MAX_NS / divisor);
        return savedNs[peer] < 0 ? -savedNs[peer] * divisor : 0;
    }
}
