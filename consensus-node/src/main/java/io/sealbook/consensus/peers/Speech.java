package io.sealbook.consensus.peers;

import io.sealbook.node.port.Peers;
import java.util.List;

/**
 * All that a node says to the other members: what its decisions send, and the blocks that it was asked for. A node in
 * production speaks through the transport; a laboratory puts a faulty member's words in between. Any thread.
 */
public interface Speech extends Peers {
    /**
     * Sends blocks that a member asked for.
     *
     * @param to the member
     * @param from sequence of the first
     * @param blocks in order, at least one; as many are sent as fit into a frame
     * @param certificateOrNull covers one of them
     */
    void sendBlocks(int to, long from, List<byte[]> blocks, byte[] certificateOrNull);
}
