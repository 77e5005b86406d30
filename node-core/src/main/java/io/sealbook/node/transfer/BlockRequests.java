package io.sealbook.node.transfer;

import java.util.Set;

/** How blocks are asked of peers. */
public interface BlockRequests {
    /** Asks a peer for blocks {@code from .. from + count - 1}; it may answer with fewer, or not at all. */
    void requestBlocks(int to, long from, int count);

    /** Returns the peers that can be asked. */
    Set<Integer> connected();
}
