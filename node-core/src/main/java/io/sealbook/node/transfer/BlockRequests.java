package io.sealbook.node.transfer;

import java.util.Set;

/** Requests blocks from peers. */
public interface BlockRequests {
    /**
     * Requests blocks from a peer, which may answer with fewer or not at all.
     *
     * @param to another member, from 0
     * @param from sequence of the first block, 1 or more
     * @param count number of blocks, 1 or more
     */
    void requestBlocks(int to, long from, int count);

    /** Returns the peers that are connected. */
    Set<Integer> connected();
}
