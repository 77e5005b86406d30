package io.sealbook.node.transfer;

import io.sealbook.node.port.Peers;
import java.util.Set;

/**
 * Asks peers for blocks and remembers whom.
 *
 * @param peers the other members
 * @param expected learns which answers are waited for
 */
public record PeerRequests(Peers peers, ExpectedBlocks expected) implements BlockRequests {
    @Override
    public void requestBlocks(int to, long from, int count) {
        expected.expect(to, from);
        peers.requestBlocks(to, from, count);
    }

    @Override
    public Set<Integer> connected() {
        return peers.connected();
    }
}
