package io.sealbook.peer.message;

/** The kinds of agreement's messages; their codes are part of the bytes and never change their meaning. */
public enum MessageKind {
    PRE_PREPARE(1),
    PREPARE(2),
    COMMIT(3),
    CHECKPOINT(4),
    VIEW_CHANGE(5),
    NEW_VIEW(6),
    BATCH_ACK(7),
    STATUS(8),
    CHECKPOINT_PROOF(9),
    SUSPICION(10),
    ARRIVALS(11);

    private static final MessageKind[] BY_CODE = new MessageKind[12];

    static {
        for (MessageKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final int code;

    MessageKind(int code) {
        this.code = code;
    }

    /** Returns the second byte of a message of this kind. */
    public int code() {
        return code;
    }

    /** Returns the kind of a code, or null if there is none. */
    public static MessageKind of(int code) {
        return code < 0 || code >= BY_CODE.length ? null : BY_CODE[code];
    }
}
