package io.sealbook.peer;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.peer.messagelog.MessageLogConfig;
import io.sealbook.protocol.GenesisFile;

/**
 * Settings of the transport of one node.
 *
 * @param nodeId 0-based, index into the genesis file's nodes
 * @param genesis members, their addresses and keys
 * @param identity signs as this node
 * @param verifier verifies handshakes and the signatures inside votes; stays the caller's
 * @param bindHost address both ports are bound to; the genesis file contains the ports
 * @param offload thread that checks arriving votes
 * @param limits of memory and time
 * @param messageLog size of the table of checked votes
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

    /** Which thread checks codes and signatures and stores messages. */
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
