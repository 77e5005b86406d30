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
}
