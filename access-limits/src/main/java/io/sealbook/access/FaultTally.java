package io.sealbook.peer.offload;

import java.util.Arrays;

/**
 * Counts the faults of each peer and selects those that are worth a line in the log: the first, the second, the fourth
 * and so on, so that a peer that floods fills no disk. One thread.
 */
final class FaultTally {
    private long[] counts = new long[16];

    /**
     * Counts a fault.
     *
     * @param peer node that made it, from 0
     * @return how many it has made; 0 if this one is not worth a line
     */
    long count(int peer) {
        if (peer >= counts.length) {
            counts = Arrays.copyOf(counts, peer + 1);
        }
        long count = ++counts[peer];
        return Long.bitCount(count) == 1 ? count : 0;
    }
}
