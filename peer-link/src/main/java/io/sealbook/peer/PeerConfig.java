package io.sealbook.peer;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.protocol.GenesisFile;

/**
 * What the transport of one node needs to know.
 *
 * @param nodeId 0-based, index into the genesis file's nodes
 * @param identity signs as this node
 * @param verifier verifies handshakes and the signatures inside votes; stays the caller's
 * @param bindHost address both ports are bound to; the ports stand in the genesis file
 * @param offload who judges arriving votes
 * @param limits how much is held, and how long
 * @param messageLog where judged votes wait
 */
public record PeerConfig(
        int nodeId,
        GenesisFile genesis,
        Signer identity,
        SignatureVerifier verifier,
        String bindHost,
        Offload offload,
        PeerLimits limits,
        MessageLogConfig messageLog) {

    /** Which thread checks codes and signatures and stores messages (requirement D1). */
    public enum Offload {
        /** The network event loop, as a smart network card would. */
        EVENT_LOOP,
        /** The agent's thread, as without such a card. */
        AGENT
    }

    public PeerConfig {
        int nodeCount = genesis.genesis().getNodesCount();
        if (nodeId < 0 || nodeId >= nodeCount) {
            throw new IllegalArgumentException("node " + nodeId + " of " + nodeCount);
        }
    }

    int nodeCount() {
        return genesis.genesis().getNodesCount();
    }
}
