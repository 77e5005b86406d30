package io.sealbook.access;

/**
 * Counts the faults of each peer and selects those that are worth a line in the log: the first, the second, the fourth
 * and so on, so that a peer that floods fills no disk. Any thread.
 */
public final class FaultTally {
    /** The nodes that a cluster may have; all other numbers are counted together. */
    private static final int PEERS_MAX = 64;

    private final long[] counts = new long[PEERS_MAX + 1];

    /**
     * Counts a fault.
     *
     * @param peer node that made it, from 0, or whatever number a message claims
     * @return how many it has made; 0 if this one is not worth a line
     */
    public synchronized long count(int peer) {
        long count = ++counts[peer >= 0 && peer < PEERS_MAX ? peer : PEERS_MAX];
        return Long.bitCount(count) == 1 ? count : 0;
    }
}
