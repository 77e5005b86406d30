package io.sealbook.peer.frame;

import io.sealbook.peer.handshake.ConnectionRole;

/** What a frame carries. */
public enum FrameType {
    PRE_PREPARE(1, ConnectionRole.VOTE),
    PREPARE(2, ConnectionRole.VOTE),
    COMMIT(3, ConnectionRole.VOTE),
    CHECKPOINT(4, ConnectionRole.VOTE),
    VIEW_CHANGE(5, ConnectionRole.VOTE),
    NEW_VIEW(6, ConnectionRole.VOTE),
    BATCH_ACK(7, ConnectionRole.VOTE),
    STATUS(8, ConnectionRole.VOTE),
    CHECKPOINT_PROOF(9, ConnectionRole.VOTE),
    SUSPICION(10, ConnectionRole.VOTE),
    ARRIVALS(11, ConnectionRole.VOTE),
    /** Signed batches; the frame's digest is that of their ids. */
    BATCHES(16, ConnectionRole.PAYLOAD),
    /** Asks for signed batches by id. */
    BATCH_REQUEST(17, ConnectionRole.PAYLOAD),
    /** Asks for archived blocks. */
    BLOCK_REQUEST(18, ConnectionRole.PAYLOAD),
    /** Archived blocks, with the certificate that covers them if there is one. */
    BLOCKS(19, ConnectionRole.PAYLOAD),
    /** Nothing; shows that the peer is alive. On connections of both roles. */
    HEARTBEAT(32, null);

    private static final FrameType[] BY_CODE = new FrameType[33];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final ConnectionRole role;

    FrameType(int code, ConnectionRole role) {
        this.code = code;
        this.role = role;
    }

    /** Returns the number of this type on the wire. */
    public int code() {
        return code;
    }

    /** Returns whether frames of this type may travel on a connection of that role. */
    public boolean travelsOn(ConnectionRole connection) {
        return role == null || role == connection;
    }

    /** Returns the type of a wire code, or null if there is none. */
    public static FrameType of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
