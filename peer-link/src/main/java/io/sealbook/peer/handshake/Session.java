package io.sealbook.peer.handshake;

/**
 * What a finished handshake yields.
 *
 * @param peerId the node at the other end, proven
 * @param peerEpoch that the peer said it is in
 * @param sendKeys of what goes to the peer
 * @param receiveKeys of what comes from the peer
 * @param sendCounter this node's frame counter as stated in its hello: frames sent in this session have higher ones
 * @param receiveCounter the same of the peer
 */
public record Session(
        int peerId,
        int peerEpoch,
        DirectionKeys sendKeys,
        DirectionKeys receiveKeys,
        long sendCounter,
        long receiveCounter) {
    @Override
    public String toString() {
        return "Session[peerId=" + peerId + "]"; // Keys stay out of logs.
    }
}
