/**
 * The connections between nodes. Two to each peer, one for votes and one for payloads, each role on an event loop of
 * its own; the node with the higher id dials.
 *
 * <pre>
 *   agent ─▶ PeerTransport.send/broadcast ─▶ queue ─▶ vote loop: hash, codes ─▶ PeerLink (bounded) ─▶ socket
 *   agent ◀─ PeerInbox.drain ◀─ descriptors ◀─ IngressOffload: code, signatures, message log ◀─ vote loop ◀─ socket
 *
 *   ring, archive ─▶ sendPayload/sendBlocks/request... ─▶ queue ─▶ payload loop ─▶ PeerLink ─▶ socket
 *   PeerHandler ◀─ PayloadReceiver: code, digest, lengths ◀─ payload loop ◀─ socket
 * </pre>
 *
 * All state of a role is touched on its loop alone. What a full queue means: votes lose the oldest (STATUS repairs),
 * payloads the newest (fetching repairs), an inbox that the agent does not empty stops reading from that peer.
 */
package io.sealbook.peer;
