package io.sealbook.peer.frame;

import io.netty.buffer.ByteBuf;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;

/**
 * Judges the frames that arrive in one session: is it from the peer, new, untouched. One thread.
 *
 * <p>The code is checked before the payload is hashed, so a forger costs this node one HMAC of 80 bytes and no more.
 */
public final class FrameAuthenticator {
    private final int peerId;
    private final int receiver;
    private final FrameCode code;
    private final byte[] covered = new byte[Frame.COVERED_LENGTH];
    private final byte[] given = new byte[Frame.CODE_LENGTH];
    private final byte[] digest = new byte[Frame.DIGEST_LENGTH];
    /** Of the frame judged last, if it holds batches. */
    private final byte[] batchIds = new byte[Frame.BATCHES_MAX * Frame.DIGEST_LENGTH];

    private int batchCount;
    private final FrameHash hash = new FrameHash();
    private long counter;

    /**
     * @param receiver this node
     * @param counter the peer's frame counter as stated in the handshake
     */
    public FrameAuthenticator(int peerId, int receiver, FrameCode code, long counter) {
        this.peerId = peerId;
        this.receiver = receiver;
        this.code = code;
        this.counter = counter;
    }

    public int peerId() {
        return peerId;
    }

    /** Judges a whole frame whose lengths are right. */
    public FrameVerdict judge(ByteBuf frame) {
        if (Frame.source(frame) != peerId) {
            return FrameVerdict.WRONG_SOURCE;
        }
        long frameCounter = Frame.counter(frame);
        if (frameCounter <= counter) {
            return FrameVerdict.REPLAYED;
        }
        if (receiver >= Frame.codeCount(frame)) {
            return FrameVerdict.BAD_CODE;
        }
        int at = frame.readerIndex();
        frame.getBytes(at, covered);
        frame.getBytes(at + Frame.payloadOffset(receiver), given);
        if (!code.isCodeOf(covered, frameCounter, given)) {
            return FrameVerdict.BAD_CODE;
        }
        counter = frameCounter;
        if (Frame.type(frame) != FrameType.BATCHES.code()) {
            hash.digest(frame, at + Frame.payloadOffset(frame), Frame.payloadLength(frame), digest);
        } else if (!digestBatches(frame)) {
            return FrameVerdict.BAD_DIGEST;
        }
        boolean isDigest =
                Arrays.equals(digest, 0, Frame.DIGEST_LENGTH, covered, Frame.DIGEST_OFFSET, Frame.COVERED_LENGTH);
        return isDigest ? FrameVerdict.GENUINE : FrameVerdict.BAD_DIGEST;
    }

    /** Computes the ids of a frame's batches and the digest of the ids; false if they are no batches. */
    private boolean digestBatches(ByteBuf frame) {
        batchCount = 0;
        int at = frame.readerIndex() + Frame.payloadOffset(frame);
        int end = at + Frame.payloadLength(frame);
        while (at < end) {
            if (batchCount == Frame.BATCHES_MAX || end - at < Frame.BATCH_LENGTH_FIELD) {
                return false;
            }
            int length = frame.getIntLE(at);
            at += Frame.BATCH_LENGTH_FIELD;
            if (length < SignedBatch.SIGNATURE_LENGTH || length > end - at) {
                return false;
            }
            hash.digest(frame, at, length - SignedBatch.SIGNATURE_LENGTH, digest);
            System.arraycopy(digest, 0, batchIds, batchCount * Frame.DIGEST_LENGTH, Frame.DIGEST_LENGTH);
            batchCount++;
            at += length;
        }
        hash.digest(batchIds, 0, batchCount * Frame.DIGEST_LENGTH, digest);
        return batchCount > 0;
    }

    /** Returns how many batches the frame holds that was judged last and is genuine. */
    public int batchCount() {
        return batchCount;
    }

    /** Returns the id of a batch of that frame. */
    public Digest batchId(int index) {
        return Digest.of(batchIds, index * Frame.DIGEST_LENGTH);
    }
}
