package io.sealbook.peer;

import io.sealbook.peer.handshake.ConnectionRole;
import java.util.Set;
import java.util.TreeSet;

/**
 * Peers to which both connections are established. Locked, because the two event loops meet here when a connection
 * comes or goes; the handler is called under the lock, so that it hears of a peer's comings and goings in their order.
 */
final class ConnectedPeers implements Connections.ConnectionListener {
    private final PeerHandler handler;
    private final int[] connectionCounts;
    private final int[] voteEpochs;
    private final Set<Integer> connected = new TreeSet<>();

    ConnectedPeers(int nodeCount, PeerHandler handler) {
        this.handler = handler;
        this.connectionCounts = new int[nodeCount];
        this.voteEpochs = new int[nodeCount];
    }

    @Override
    public synchronized void onUp(ConnectionRole role, int peer, int peerEpoch) {
        if (role == ConnectionRole.VOTE) {
            voteEpochs[peer] = peerEpoch;
        }
        if (++connectionCounts[peer] == ConnectionRole.values().length) {
            connected.add(peer);
            handler.onConnected(peer, voteEpochs[peer]);
        }
    }

    @Override
    public synchronized void onDown(ConnectionRole role, int peer) {
        connectionCounts[peer]--;
        if (connected.remove(peer)) {
            handler.onDisconnected(peer);
        }
    }

    @Override
    public void onIdentityRefused(int peer) {
        handler.onIdentityRefused(peer);
    }

    @Override
    public void onHeard(long peers, long connected) {
        handler.onHeard(peers, connected);
    }

    synchronized Set<Integer> connected() {
        return Set.copyOf(connected);
    }
}
