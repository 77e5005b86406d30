package io.sealbook.peer.handshake;

/** What a connection carries. Votes and payloads travel apart, so that a large payload never delays a vote. */
public enum ConnectionRole {
    /** Messages of agreement. */
    VOTE(1),
    /** Batches, blocks, and requests for them. */
    PAYLOAD(2);

    private final int code;

    ConnectionRole(int code) {
        this.code = code;
    }

    /** Returns the number of this role on the wire. */
    public int code() {
        return code;
    }
}
