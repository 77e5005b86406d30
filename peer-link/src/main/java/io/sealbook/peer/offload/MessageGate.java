package io.sealbook.peer.offload;

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

/** The agent's end: a stored vote is decoded, given out and released. Agent thread. */
final class MessageGate implements MessageReader {
    private static final Logger LOG = LoggerFactory.getLogger(MessageGate.class);

    private final MessageLog log;
    private final OffloadMetrics metrics;
    private final InboxQuota quota;
    private Message message;
    private long stableSequence;

    MessageGate(MessageLog log, OffloadMetrics metrics, InboxQuota quota) {
        this.log = log;
        this.metrics = metrics;
        this.quota = quota;
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
            LOG.warn("node {} sent a vote that is no message: {}", key.source(), e.getMessage());
        }
    }
}
