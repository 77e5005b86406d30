package io.sealbook.peer.handshake;

/** Why a handshake ended without a session. */
public enum HandshakeRefusal {
    /** Not a handshake message, or not the expected one, or of a wrong length. */
    MALFORMED(1),
    /** The peer speaks another version. */
    VERSION(2),
    /** The peer was started from another genesis file. */
    GENESIS_MISMATCH(3),
    /** A vote connection on the payload port or the reverse. */
    ROLE(4),
    /** The peer claims an id that may not speak here, or looks for another node. */
    NODE_ID(5),
    /** The signature is not that of the claimed node over this exchange. */
    BAD_SIGNATURE(6),
    /** The peer's ephemeral key yields no shared secret. */
    BAD_KEY(7),
    /** The peer did not derive the same keys. */
    BAD_CONFIRMATION(8),
    /** The peer refused; its reason is in the message. */
    REFUSED_BY_PEER(9),
    /** The peer sent what no correct node sends, and must wait before its next connection. */
    PENALTY(10);

    private final int code;

    HandshakeRefusal(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static String describe(int code) {
        for (HandshakeRefusal refusal : values()) {
            if (refusal.code == code) {
                return refusal.name();
            }
        }
        return "unknown reason " + code;
    }
}
