package io.sealbook.peer.frame;

/** Bytes that begin no frame of this protocol. The stream cannot be read on: the connection is closed. */
public final class MalformedFrameException extends Exception {
    private final int offset;

    public MalformedFrameException(String fact, int offset) {
        super("frame: " + fact + " at offset " + offset);
        this.offset = offset;
    }

    /** Returns the offset of the wrong field in the frame. */
    public int offset() {
        return offset;
    }
}
