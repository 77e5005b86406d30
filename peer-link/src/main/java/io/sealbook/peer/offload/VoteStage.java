package io.sealbook.peer.offload;

import io.netty.buffer.ByteBuf;
import io.sealbook.access.FaultTally;
import io.sealbook.crypto.DeviceException;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.check.SignatureChecks;
import io.sealbook.peer.check.VoteForm;
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
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done to every vote before the agent hears of it: judge the frame, hold key against content, judge its form,
 * verify all signatures of a burst together, store. Order is kept. A peer's connection ends with its first bad
 * signature, and what came on it after that is dropped. One thread.
 */
final class VoteStage {
    private static final Logger LOG = LoggerFactory.getLogger(VoteStage.class);
    private static final int BURST_MAX = 256;

    private final int epoch;
    private final long originSequence;
    private final OffloadConfig.Laggards laggards;
    private final VoteForm form;
    private final PeerBudget budget;
    private final LongSupplier clock;
    private final SignatureChecks checks;
    private final MessageLog log;
    private final OffloadMetrics metrics;
    private final StoredVotes storedVotes;
    private final FaultTally badSignatures = new FaultTally();
    private final List<Pending> burst = new ArrayList<>();
    private final List<Pending> refused = new ArrayList<>();
    private final UnsafeBuffer digestView = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer messageView = new UnsafeBuffer(new byte[0]);

    VoteStage(OffloadConfig config, MessageLog log, OffloadMetrics metrics, StoredVotes storedVotes) {
        this(config, log, metrics, storedVotes, System::nanoTime);
    }

    /**
     * @param config of the offload
     * @param log keeps the votes
     * @param metrics counts
     * @param storedVotes is notified
     * @param clock monotonic, in nanoseconds
     */
    VoteStage(
            OffloadConfig config, MessageLog log, OffloadMetrics metrics, StoredVotes storedVotes, LongSupplier clock) {
        this.form = new VoteForm(config.identities().size(), config.windowMax(), config.batchesMax());
        this.budget = new PeerBudget(config.identities().size());
        this.clock = clock;
        this.epoch = config.epoch().number();
        this.originSequence = config.originSequence();
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
        long beganNs = clock.getAsLong();
        boolean isPending = isPending(frame, link, stableSequence);
        spend(link, clock.getAsLong() - beganNs);
        if (!isPending) {
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
        if (burst.isEmpty()) {
            return;
        }
        boolean isVerified = verify();
        for (Pending pending : burst) {
            store(pending, isVerified);
            pending.frame.release();
        }
        burst.clear();
        checks.clear();
        // Last, because a connection that closes may report the end of its burst here.
        List<Pending> toRefuse = List.copyOf(refused);
        refused.clear();
        toRefuse.forEach(bad -> bad.link.refuse(bad.type + " with a bad signature"));
    }

    /** A peer that is over its share rests. */
    private void spend(IngressLink link, long ns) {
        long restNs = budget.spend(link.peerId(), ns, clock.getAsLong());
        if (restNs > 0) {
            metrics.rests.increment();
            link.rest(restNs);
        }
    }

    private boolean isPending(ByteBuf frame, IngressLink link, long stableSequence) {
        if (link.isRefused()) {
            metrics.afterRefusal.increment();
            return false;
        }
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
        if (isSettled(type, Frame.sequence(frame), stableSequence)) {
            metrics.stale.increment();
            return false;
        }
        SignatureChecks.VoteSignatures signatures = null;
        if (VoteKey.isSigned(type)) {
            try {
                signatures = addChecks(frame, link);
            } catch (MalformedMessageException e) {
                metrics.malformed.increment();
                link.refuse(type + ": " + e.getMessage());
                return false;
            }
        }
        burst.add(new Pending(frame, link, type, signatures));
        return true;
    }

    /** A peer that is ahead proves with the certificate that ended this epoch that it ended; all else is of no use. */
    private boolean mayCross(FrameType type, int peerEpoch) {
        return peerEpoch == epoch || peerEpoch > epoch && type == FrameType.CHECKPOINT_PROOF;
    }

    /**
     * Returns whether a vote is of no use any more. A proof of the block that ended an epoch may have been sent to this
     * node before it entered the next one, and comes on a connection of the next one. Its signers are not the nodes of
     * this epoch, and its sender is honest. A proof of a later block may end this epoch although a still later one is
     * stable.
     */
    private boolean isSettled(FrameType type, long sequence, long stableSequence) {
        return type == FrameType.CHECKPOINT_PROOF
                ? originSequence > 0 && sequence <= originSequence
                : VoteKey.isStale(type, sequence, stableSequence);
    }

    private SignatureChecks.VoteSignatures addChecks(ByteBuf frame, IngressLink link) throws MalformedMessageException {
        wrap(messageView, frame, Frame.payloadOffset(frame), Frame.payloadLength(frame));
        Message message = PeerMessageCodec.decode(messageView, 0, messageView.capacity());
        VoteKey.require(message, key(frame, link.peerId()));
        (link.peerEpoch() == epoch ? form : VoteForm.OF_ANY_EPOCH).require(message);
        return checks.add(message, link.peerId());
    }

    private boolean verify() {
        long beganNs = clock.getAsLong();
        try {
            int given = checks.verify();
            metrics.signatures.increment(given);
            if (given > 0) {
                spendShares((clock.getAsLong() - beganNs) / given);
            }
            return true;
        } catch (DeviceException e) {
            LOG.warn("verifier failed, {} votes dropped; their senders repeat them", burst.size(), e);
            return false;
        }
    }

    /** Charges each vote of the burst for the signatures that were verified of it. */
    private void spendShares(long nsPerSignature) {
        for (Pending pending : burst) {
            if (pending.signatures != null && pending.signatures.taken() > 0) {
                spend(pending.link, nsPerSignature * pending.signatures.taken());
            }
        }
    }

    private void store(Pending pending, boolean isVerified) {
        int length = Frame.payloadLength(pending.frame);
        if (!isVerified && pending.signatures != null && !pending.signatures.areValid()) {
            drop(pending, length, metrics.deviceFailures::increment);
            return;
        }
        if (pending.signatures != null && pending.signatures.isBad()) {
            onBadSignature(pending);
            drop(pending, length, metrics.badSignatures::increment);
            return;
        }
        if (isRefused(pending.link) || pending.signatures != null && !pending.signatures.areValid()) {
            drop(pending, length, metrics.afterRefusal::increment);
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

    private void onBadSignature(Pending pending) {
        int peer = pending.link.peerId();
        long count = badSignatures.count(peer);
        if (count > 0) {
            LOG.warn("node {} sent a {} with a bad signature, {} such votes so far", peer, pending.type, count);
        }
        // The keys of a later epoch may be others.
        if (pending.link.peerEpoch() == epoch && !isRefused(pending.link)) {
            refused.add(pending);
        }
    }

    private boolean isRefused(IngressLink link) {
        for (Pending bad : refused) {
            if (bad.link == link) {
                return true;
            }
        }
        return false;
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

    /** @param signatures null if the vote is not signed */
    private record Pending(
            ByteBuf frame, IngressLink link, FrameType type, SignatureChecks.VoteSignatures signatures) {}
}
