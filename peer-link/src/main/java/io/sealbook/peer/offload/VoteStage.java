package io.sealbook.peer.offload;

import io.netty.buffer.ByteBuf;
import io.sealbook.crypto.DeviceException;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.frame.Frame;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.frame.FrameVerdict;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.peer.messagelog.MessageKey;
import io.sealbook.peer.messagelog.MessageLog;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done to every vote before the agent hears of it: judge the frame, hold key against content, verify all
 * signatures of a burst together, store. Order is kept. One thread.
 */
final class VoteStage {
    private static final Logger LOG = LoggerFactory.getLogger(VoteStage.class);
    private static final int BURST_MAX = 256;

    private final int epoch;
    private final OffloadConfig.Laggards laggards;
    private final SignatureChecks checks;
    private final MessageLog log;
    private final OffloadMetrics metrics;
    private final StoredVotes storedVotes;
    private final FaultTally badSignatures = new FaultTally();
    private final List<Pending> burst = new ArrayList<>();
    private final UnsafeBuffer digestView = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer messageView = new UnsafeBuffer(new byte[0]);

    VoteStage(OffloadConfig config, MessageLog log, OffloadMetrics metrics, StoredVotes storedVotes) {
        this.epoch = config.epoch().number();
        this.laggards = config.laggards();
        this.checks = new SignatureChecks(config.epoch(), config.identities(), config.verifier());
        this.log = log;
        this.metrics = metrics;
        this.storedVotes = storedVotes;
    }

    /** Told of what happened to votes, in order. */
    interface StoredVotes {
        void onStored(long handle, IngressLink link, int length);

        void onDropped(IngressLink link, int length);
    }

    /** Takes a frame; it is stored, or dropped, by the next {@link #finish} at the latest. */
    void accept(ByteBuf frame, IngressLink link, long stableSequence) {
        int length = Frame.payloadLength(frame);
        if (!isPending(frame, link, stableSequence)) {
            frame.release();
            storedVotes.onDropped(link, length);
            return;
        }
        if (burst.size() == BURST_MAX) {
            finish();
        }
    }

    /** Verifies what waits and stores what is valid. */
    void finish() {
        boolean isVerified = verify();
        for (Pending pending : burst) {
            store(pending, isVerified);
            pending.frame.release();
        }
        burst.clear();
        checks.clear();
    }

    private boolean isPending(ByteBuf frame, IngressLink link, long stableSequence) {
        FrameVerdict verdict = link.authenticator().judge(frame);
        if (verdict != FrameVerdict.GENUINE) {
            metrics.verdict(verdict).increment();
            link.refuse("frame is " + verdict);
            return false;
        }
        FrameType type = FrameType.of(Frame.type(frame));
        if (type == FrameType.HEARTBEAT) {
            return false;
        }
        if (type == null || !type.travelsOn(ConnectionRole.VOTE)) {
            metrics.malformed.increment();
            link.refuse("frame type " + Frame.type(frame) + " among votes");
            return false;
        }
        if (!mayCross(type, link.peerEpoch())) {
            metrics.otherEpoch.increment();
            if (type == FrameType.STATUS && link.peerEpoch() < epoch) {
                laggards.onLaggard(link.peerId(), link.peerEpoch());
            }
            return false;
        }
        if (VoteKey.isStale(type, Frame.sequence(frame), stableSequence)) {
            metrics.stale.increment();
            return false;
        }
        int firstCheck = checks.size();
        if (VoteKey.isSigned(type)) {
            try {
                addChecks(frame, link.peerId());
            } catch (MalformedMessageException e) {
                metrics.malformed.increment();
                link.refuse(type + ": " + e.getMessage());
                return false;
            }
        }
        burst.add(new Pending(frame, link, type, firstCheck, checks.size()));
        return true;
    }

    /** A peer that is ahead proves with the certificate that ended this epoch that it ended; all else is of no use. */
    private boolean mayCross(FrameType type, int peerEpoch) {
        return peerEpoch == epoch || peerEpoch > epoch && type == FrameType.CHECKPOINT_PROOF;
    }

    private void addChecks(ByteBuf frame, int peerId) throws MalformedMessageException {
        wrap(messageView, frame, Frame.payloadOffset(frame), Frame.payloadLength(frame));
        Message message = PeerMessageCodec.decode(messageView, 0, messageView.capacity());
        VoteKey.require(message, key(frame, peerId));
        checks.add(message);
    }

    private boolean verify() {
        try {
            metrics.signatures.increment(checks.verify());
            return true;
        } catch (DeviceException e) {
            LOG.warn("verifier failed, {} votes dropped; their senders repeat them", burst.size(), e);
            return false;
        }
    }

    private void store(Pending pending, boolean isVerified) {
        int length = Frame.payloadLength(pending.frame);
        if (!isVerified && pending.lastCheck > pending.firstCheck) {
            drop(pending, length, metrics.deviceFailures::increment);
            return;
        }
        if (!checks.areValid(pending.firstCheck, pending.lastCheck)) {
            long count = badSignatures.count(pending.link.peerId());
            if (count > 0) {
                LOG.warn(
                        "node {} sent a {} with a bad signature, {} such votes so far",
                        pending.link.peerId(),
                        pending.type,
                        count);
            }
            drop(pending, length, metrics.badSignatures::increment);
            return;
        }
        wrap(digestView, pending.frame, Frame.DIGEST_OFFSET, Frame.DIGEST_LENGTH);
        wrap(messageView, pending.frame, Frame.payloadOffset(pending.frame), length);
        long handle = log.store(key(pending.frame, pending.link.peerId()), digestView, 0, messageView, 0, length);
        if (handle == MessageLog.DUPLICATE) {
            drop(pending, length, metrics.duplicates::increment);
        } else if (handle == MessageLog.REFUSED) {
            drop(pending, length, metrics.refused::increment);
        } else {
            metrics.votes.increment();
            storedVotes.onStored(handle, pending.link, length);
        }
    }

    private void drop(Pending pending, int length, Runnable count) {
        count.run();
        storedVotes.onDropped(pending.link, length);
    }

    private static MessageKey key(ByteBuf frame, int peerId) {
        return new MessageKey(Frame.type(frame), Frame.view(frame), Frame.sequence(frame), peerId);
    }

    private static void wrap(UnsafeBuffer view, ByteBuf frame, int offset, int length) {
        int at = frame.readerIndex() + offset;
        if (frame.nioBufferCount() == 1) {
            view.wrap(frame.nioBuffer(at, length));
            return;
        }
        ByteBuffer copy = ByteBuffer.allocate(length);
        frame.getBytes(at, copy);
        view.wrap(copy.flip());
    }

    private record Pending(ByteBuf frame, IngressLink link, FrameType type, int firstCheck, int lastCheck) {}
}
