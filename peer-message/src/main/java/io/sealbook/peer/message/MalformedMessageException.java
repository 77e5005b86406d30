package io.sealbook.peer.message;

/** Bytes that are no message or record of this protocol. */
public final class MalformedMessageException extends Exception {
    private final int offset;

    public MalformedMessageException(String fact, int offset) {
        super("message: " + fact + " at offset " + offset);
        this.offset = offset;
    }

    /** Returns the offset of the wrong field in the message. */
    public int offset() {
        return offset;
    }
}
