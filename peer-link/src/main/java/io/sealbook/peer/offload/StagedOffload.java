package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.peer.messagelog.MessageLog;

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

    StagedOffload(OffloadConfig config, MeterRegistry registry) {
        log = new MessageLog(config.messageLog());
        metrics = new OffloadMetrics(registry, log);
        quota = new InboxQuota(config.identities().size(), config.perPeerMax());
        stage = new VoteStage(config, log, metrics, this);
        gate = new MessageGate(log, metrics, quota);
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
