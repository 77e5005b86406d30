package io.sealbook.peer.frame;

/**
 * The content of a frame that holds no batches.
 *
 * @param type any but {@link FrameType#BATCHES}
 * @param view of the key; 0 where the type has none
 * @param sequence of the key; {@link #NO_SEQUENCE} where the type has none
 * @param payload not to be changed any more
 */
public record FrameContent(FrameType type, long view, long sequence, byte[] payload) {
    /** Instead of a sequence: the counter of the frame. */
    public static final long NO_SEQUENCE = -1;

    private static final byte[] NOTHING = {};

    /**
     * Returns the content of a frame that has neither view nor sequence.
     *
     * @param type any but {@link FrameType#BATCHES}
     * @param payload must not change afterwards
     */
    public static FrameContent of(FrameType type, byte[] payload) {
        return new FrameContent(type, 0, NO_SEQUENCE, payload);
    }

    /** Returns the content of a heartbeat. */
    public static FrameContent heartbeat() {
        return of(FrameType.HEARTBEAT, NOTHING);
    }
}
