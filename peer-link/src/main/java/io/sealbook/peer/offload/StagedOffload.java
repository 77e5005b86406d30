package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.peer.messagelog.MessageLog;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The parts that every offload has: the stage that judges, verifies and stores votes, the log that keeps them, the
 * quota of each peer, and the gate through which stored votes reach agreement. Subclasses choose the thread of each.
 */
abstract class StagedOffload implements IngressOffload, VoteStage.StoredVotes {
    final MessageLog log;
    final OffloadMetrics metrics;
    final InboxQuota quota;
    final VoteStage stage;
    final MessageGate gate;
    private volatile Runnable wakeup = () -> {};
    private volatile long stableSequence;
    /** The connection on which each peer's last vote came: the agent may find a vote wrong when the next is there. */
    private final AtomicReferenceArray<IngressLink> links;

    StagedOffload(OffloadConfig config, MeterRegistry registry) {
        log = new MessageLog(config.messageLog());
        metrics = new OffloadMetrics(registry, log);
        quota = new InboxQuota(config.identities().size(), config.perPeerMax());
        stage = new VoteStage(config, log, metrics, this);
        links = new AtomicReferenceArray<>(config.identities().size());
        gate = new MessageGate(log, metrics, quota, this::refuse);
        stableSequence = config.originSequence();
    }

    /** Notes on which connection a vote came; the thread that reads it. */
    final void noteLink(IngressLink link) {
        links.lazySet(link.peerId(), link);
    }

    private void refuse(int peer, String fact) {
        IngressLink link = links.get(peer);
        if (!link.isRefused()) {
            link.refuse(fact);
        }
    }

    /** Votes up to this block are settled. */
    final long stableSequence() {
        return stableSequence;
    }

    /** Wakes the agent, which has something to drain. */
    final void wakeAgent() {
        wakeup.run();
    }

    @Override
    public final void setWakeup(Runnable wakeup) {
        this.wakeup = wakeup;
    }

    @Override
    public final void discardThrough(long newStableSequence) {
        stableSequence = newStableSequence;
        gate.discardThrough(newStableSequence);
    }
}
