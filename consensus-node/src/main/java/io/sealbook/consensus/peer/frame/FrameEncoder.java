package io.sealbook.consensus.peer.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * Makes frames of one node in one role, numbering them. One thread.
 *
 * <p>The counter belongs to the role and not to a link, so that one frame serves all receivers; each receiver sees it rise.
 */
public final class FrameEncoder {
    private final int source;
    private final int nodeCount;
    private final byte[] covered = new byte[Frame.COVERED_LENGTH];
    private final byte[] digest = new byte[Frame.DIGEST_LENGTH];
    private final Sha256 sha256 = new Sha256();
    private long counter;

    public FrameEncoder(int source, int nodeCount) {
        this.source = source;
        this.nodeCount = nodeCount;
    }

    /** Returns the counter of the last frame made. */
    public long counter() {
        return counter;
    }

    /**
     * Makes a frame.
     *
     * @param content what to send
     * @param codes by receiver; null where the frame will not go
     * @return a new buffer with one reference
     */
    public ByteBuf encode(ByteBufAllocator allocator, FrameContent content, FrameCode[] codes) {
        byte[] payload = content.payload();
        ByteBuf frame = allocator.ioBuffer(Frame.payloadOffset(nodeCount) + payload.length);
        counter++;
        Frame.writeHeader(frame, nodeCount, payload.length, counter);
        Frame.writeKey(
                frame,
                content.type(),
                source,
                content.view(),
                content.sequence() == FrameContent.NO_SEQUENCE ? counter : content.sequence());
        if (content.digestOrNull() == null) {
            sha256.digest(payload, 0, payload.length, digest);
            frame.writeBytes(digest);
        } else {
            frame.writeBytes(content.digestOrNull(), 0, Frame.DIGEST_LENGTH);
        }
        frame.getBytes(0, covered);
        for (int receiver = 0; receiver < nodeCount; receiver++) {
            if (codes[receiver] == null) {
                frame.writeZero(Frame.CODE_LENGTH);
            } else {
                frame.writeBytes(codes[receiver].compute(covered, counter), 0, Frame.CODE_LENGTH);
            }
        }
        return frame.writeBytes(payload);
    }
}
