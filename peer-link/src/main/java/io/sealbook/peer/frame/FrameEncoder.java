package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * Makes frames of one node in one role, numbering them. One thread.
 *
 * <p>The counter belongs to the role and not to a link, so that one frame serves all receivers; each receiver sees it
 * rise.
 */
public final class FrameEncoder {
    private final int source;
    private final int nodeCount;
    private final byte[] covered = new byte[Frame.COVERED_LENGTH];
    private final byte[] digest = new byte[Frame.DIGEST_LENGTH];
    private final byte[] batchIds = new byte[Frame.BATCHES_MAX * Frame.DIGEST_LENGTH];
    private final FrameHash hash = new FrameHash();
    private long counter;

    /**
     * @param source node whose frames these are, from 0
     * @param nodeCount number of codes per frame
     */
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
     * @param allocator of the buffer
     * @param content type, key and payload of the frame
     * @param codes by receiver; null where the frame will not go
     * @return a new buffer with one reference
     */
    public ByteBuf encode(ByteBufAllocator allocator, FrameContent content, FrameCode[] codes) {
        byte[] payload = content.payload();
        ByteBuf frame = begin(allocator, content.type(), content.view(), content.sequence(), payload.length);
        hash.digest(payload, 0, payload.length, digest);
        frame.writeBytes(digest);
        writeCodes(frame, codes);
        return frame.writeBytes(payload);
    }

    /**
     * Makes a frame of signed batches.
     *
     * @param allocator of the buffer
     * @param batches 1..{@value Frame#BATCHES_MAX}
     * @param codes by receiver; null where the frame will not go
     * @return a new buffer with one reference
     */
    public ByteBuf encodeBatches(ByteBufAllocator allocator, List<FramedBatch> batches, FrameCode[] codes) {
        int payloadLength = 0;
        for (int i = 0; i < batches.size(); i++) {
            batches.get(i).id().write(batchIds, i * Frame.DIGEST_LENGTH);
            payloadLength += Frame.BATCH_LENGTH_FIELD + batches.get(i).signedBatch().length;
        }
        ByteBuf frame = begin(allocator, FrameType.BATCHES, 0, FrameContent.NO_SEQUENCE, payloadLength);
        hash.digest(batchIds, 0, batches.size() * Frame.DIGEST_LENGTH, digest);
        frame.writeBytes(digest);
        writeCodes(frame, codes);
        for (FramedBatch batch : batches) {
            frame.writeIntLE(batch.signedBatch().length).writeBytes(batch.signedBatch());
        }
        return frame;
    }

    private ByteBuf begin(ByteBufAllocator allocator, FrameType type, long view, long sequence, int payloadLength) {
        ByteBuf frame = allocator.ioBuffer(Frame.payloadOffset(nodeCount) + payloadLength);
        counter++;
        Frame.writeHeader(frame, nodeCount, payloadLength, counter);
        Frame.writeKey(frame, type, source, view, sequence == FrameContent.NO_SEQUENCE ? counter : sequence);
        return frame;
    }

    private void writeCodes(ByteBuf frame, FrameCode[] codes) {
        frame.getBytes(0, covered);
        for (int receiver = 0; receiver < nodeCount; receiver++) {
            if (codes[receiver] == null) {
                frame.writeZero(Frame.CODE_LENGTH);
            } else {
                frame.writeBytes(codes[receiver].compute(covered, counter), 0, Frame.CODE_LENGTH);
            }
        }
    }
}
