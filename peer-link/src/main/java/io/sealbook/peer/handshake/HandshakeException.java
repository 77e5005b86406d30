package io.sealbook.peer.handshake;

/** A handshake that ended without a session. The connection is closed; nothing else is disturbed. */
public final class HandshakeException extends Exception {
    private final HandshakeRefusal refusal;

    HandshakeException(HandshakeRefusal refusal, String fact) {
        super("handshake: " + refusal + ": " + fact);
        this.refusal = refusal;
    }

    public HandshakeRefusal refusal() {
        return refusal;
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
