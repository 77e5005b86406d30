package io.sealbook.node.status;

import io.sealbook.protocol.v1.RefusalReason;

/** What the node's decisions count. Any thread. */
public interface NodeCounters {
    /** Counts a refused batch of a broker. */
    void refused(RefusalReason reason);

    /**
     * Counts a refused batch against the peer that sent it.
     *
     * @param peer member, from 0
     * @param reason the first rule that the batch broke
     */
    void peerRefused(int peer, RefusalReason reason);

    /** Counts a batch of a broker that was admitted, with this many orders. */
    void admitted(int orderCount);

    /**
     * Counts a block that is in the archive and handed on.
     *
     * @param batchCount its batches
     * @param orderCount their orders
     * @param nanos what archive and hand-off took
     */
    void committed(int batchCount, long orderCount, long nanos);

    /** Counts a delivered batch that arrived here this many nanoseconds ago. */
    void delivered(long nanosSinceArrival);

    /** Counts a message that agreement refused. */
    void ignored();

    /** Counts a view that was entered. */
    void viewEntered();

    /** Counts blocks that came by state transfer. */
    void transferred(int blockCount);

    /** Counts blocks of a peer that were not right. */
    void transferRefused(int peer);
}
