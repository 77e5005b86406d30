package io.sealbook.consensus.peer.frame;

import io.netty.buffer.ByteBuf;
import io.sealbook.protocol.SignedBatch;
import java.util.Arrays;

/**
 * Judges the frames that arrive in one session: is it from the peer, new, untouched. One thread.
 *
 * <p>The code is checked before the payload is hashed, so a forger costs this node one HMAC of 80 bytes and no more.
 */
public final class FrameAuthenticator {
    private final int peerId;
    private final int codeOffset;
    private final int payloadOffset;
    private final FrameCode code;
    private final byte[] covered = new byte[Frame.COVERED_LENGTH];
    private final byte[] given = new byte[Frame.CODE_LENGTH];
    private final byte[] digest = new byte[Frame.DIGEST_LENGTH];
    private final Sha256 sha256 = new Sha256();
    private long counter;

    /**
     * @param receiver this node
     * @param counter the peer's frame counter as told in the handshake
     */
    public FrameAuthenticator(int peerId, int receiver, int nodeCount, FrameCode code, long counter) {
        this.peerId = peerId;
        this.codeOffset = Frame.payloadOffset(receiver);
        this.payloadOffset = Frame.payloadOffset(nodeCount);
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
        int at = frame.readerIndex();
        frame.getBytes(at, covered);
        frame.getBytes(at + codeOffset, given);
        if (!code.isCodeOf(covered, frameCounter, given)) {
            return FrameVerdict.BAD_CODE;
        }
        counter = frameCounter;
        int hashedLength = Frame.payloadLength(frame);
        if (Frame.type(frame) == FrameType.BATCH.code()) {
            hashedLength -= SignedBatch.SIGNATURE_LENGTH;
        }
        if (hashedLength < 0) {
            return FrameVerdict.BAD_DIGEST;
        }
        sha256.digest(frame, at + payloadOffset, hashedLength, digest);
        boolean isDigest =
                Arrays.equals(digest, 0, Frame.DIGEST_LENGTH, covered, Frame.DIGEST_OFFSET, Frame.COVERED_LENGTH);
        return isDigest ? FrameVerdict.GENUINE : FrameVerdict.BAD_DIGEST;
    }
}
