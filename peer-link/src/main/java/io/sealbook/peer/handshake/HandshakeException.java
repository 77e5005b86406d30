package io.sealbook.peer.handshake;

/** A handshake that ended without a session. The connection is closed; nothing else is disturbed. */
public final class HandshakeException extends Exception {
    private final HandshakeRefusal refusal;
    private final boolean isOfIdentity;

    HandshakeException(HandshakeRefusal refusal, String fact) {
        this(refusal, fact, false);
    }

    private HandshakeException(HandshakeRefusal refusal, String fact, boolean isOfIdentity) {
        super("handshake: " + refusal + ": " + fact);
        this.refusal = refusal;
        this.isOfIdentity = isOfIdentity;
    }

    /** Returns the refusal of a peer, for the reason with this code. */
    static HandshakeException ofPeer(int code, String genesisDigest) {
        return new HandshakeException(
                HandshakeRefusal.REFUSED_BY_PEER,
                "peer refused: " + HandshakeRefusal.describe(code) + "; its genesis digest is " + genesisDigest,
                code == HandshakeRefusal.NODE_ID.code() || code == HandshakeRefusal.BAD_SIGNATURE.code());
    }

    public HandshakeRefusal refusal() {
        return refusal;
    }

    /**
     * Returns whether the peer refused this node's id or key, as one does whose epoch has another key or none for it.
     */
    public boolean isOfIdentity() {
        return isOfIdentity;
    }

    /**
     * Returns the refusal of a peer that must wait before its next connection.
     *
     * @param peer that the connection says it is
     * @param waitMs how long it must still wait, in milliseconds
     */
    public static HandshakeException penalty(int peer, int waitMs) {
        return new HandshakeException(
                HandshakeRefusal.PENALTY,
                "node " + peer + " sent what no correct node sends: " + waitMs + " ms to wait");
    }
}
