package io.sealbook.peer.offload;

import io.sealbook.access.FaultTally;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.peer.messagelog.MessageKey;
import io.sealbook.peer.messagelog.MessageLog;
import io.sealbook.peer.messagelog.MessageReader;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end: a stored vote is decoded, given out and released. A peer whose vote is no message loses its
 * connection, as it does for a bad signature. Agent thread.
 */
final class MessageGate implements MessageReader {
    private static final Logger LOG = LoggerFactory.getLogger(MessageGate.class);

    private final MessageLog log;
    private final OffloadMetrics metrics;
    private final InboxQuota quota;
    private final Refusals refusals;
    private final FaultTally malformed = new FaultTally();
    private Message message;
    private long stableSequence;

    /** Told of peers that sent what no correct node sends. */
    interface Refusals {
        void refuse(int peer, String fact);
    }

    MessageGate(MessageLog log, OffloadMetrics metrics, InboxQuota quota, Refusals refusals) {
        this.log = log;
        this.metrics = metrics;
        this.quota = quota;
        this.refusals = refusals;
    }

    void discardThrough(long newStableSequence) {
        stableSequence = Math.max(stableSequence, newStableSequence);
    }

    /** Gives out the vote of a handle, unless it is of no use, and releases its place. */
    void pass(long handle, Consumer<Message> consumer) {
        message = null;
        log.read(handle, this);
        log.release(handle);
        if (message != null) {
            consumer.accept(message);
        }
    }

    @Override
    public void onMessage(MessageKey key, DirectBuffer buffer, int offset, int length) {
        quota.giveBack(key.source(), length);
        if (VoteKey.isStale(FrameType.of(key.type()), key.sequence(), stableSequence)) {
            metrics.stale.increment();
            return;
        }
        try {
            Message decoded = PeerMessageCodec.decode(buffer, offset, length);
            VoteKey.require(decoded, key);
            message = decoded;
        } catch (MalformedMessageException e) {
            metrics.malformed.increment();
            long count = malformed.count(key.source());
            if (count > 0) {
                LOG.warn(
                        "node {} sent a vote that is no message, {} such votes so far: {}",
                        key.source(),
                        count,
                        e.getMessage());
            }
            refusals.refuse(key.source(), FrameType.of(key.type()) + ": " + e.getMessage());
        }
    }
}
