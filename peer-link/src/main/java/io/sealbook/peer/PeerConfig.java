package io.sealbook.peer;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.peer.messagelog.MessageLogConfig;

/**
 * Settings of the transport of one node.
 *
 * @param nodeId 0-based, among the nodes of the epoch; a node that the epoch does not name yet has a higher one, and
 *     only dials: no node of its epoch looks for it
 * @param nodes of the epoch, their addresses and keys
 * @param identity signs as this node; if it is not the node's in this epoch, peers refuse it
 * @param verifier verifies handshakes and the signatures inside votes; stays the caller's
 * @param bindHost address both ports are bound to; the nodes of the epoch name the ports
 * @param offload thread that checks arriving votes
 * @param limits of memory and time
 * @param messageLog size of the table of checked votes
 */
public record PeerConfig(
        int nodeId,
        EpochNodes nodes,
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
        if (nodeId < 0) {
            throw new IllegalArgumentException("node " + nodeId);
        }
    }

    /** Returns whether the epoch has a node with this id, and so an address of it. */
    boolean isNamed() {
        return nodeId < nodes.count();
    }

    int nodeCount() {
        return nodes.count();
    }
}
