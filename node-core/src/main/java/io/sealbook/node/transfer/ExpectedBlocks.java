package io.sealbook.node.transfer;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The door for blocks that peers send: which answers a transfer waits for, and of whom. What no transfer asked for, or
 * asked of another peer, or what comes twice is refused here, before it takes a place in any queue. Any thread.
 */
public final class ExpectedBlocks {
    /** More than a transfer has in flight; the request made longest ago is forgotten beyond, and its answer refused. */
    static final int EXPECTED_MAX = 64;

    /** Peers by the first sequence that was asked of them. */
    private final Map<Long, Integer> peers = new LinkedHashMap<>();

    /**
     * Notes a request; it takes the place of an earlier one from the same block on.
     *
     * @param peer member that is asked
     * @param from first sequence that is asked for
     */
    public synchronized void expect(int peer, long from) {
        peers.remove(from);
        peers.put(from, peer);
        if (peers.size() > EXPECTED_MAX) {
            peers.remove(peers.keySet().iterator().next());
        }
    }

    /**
     * Takes an answer, once for each request.
     *
     * @param peer member that sent it
     * @param from first sequence of its blocks
     * @return false if this peer was not asked for blocks from there, or has answered
     */
    public synchronized boolean take(int peer, long from) {
        return peers.remove(from, peer);
    }
}
