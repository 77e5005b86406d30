package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.messagelog.MessageLog;
import java.util.function.Consumer;

/** Offload on: the event loop judges, verifies and stores; the agent receives handles. */
public final class EventLoopOffload implements IngressOffload, VoteStage.StoredVotes {
    private final MessageLog log;
    private final OffloadMetrics metrics;
    private final InboxQuota quota;
    private final HandleRing ring;
    private final VoteStage stage;
    private final MessageGate gate;
    private volatile Runnable wakeup = () -> {};
    private volatile long stableSequence;
    private boolean hasPublished;

    public EventLoopOffload(OffloadConfig config, MeterRegistry registry) {
        log = new MessageLog(config.messageLog());
        metrics = new OffloadMetrics(registry, log);
        quota = new InboxQuota(config.identities().size(), config.perPeerMax());
        ring = new HandleRing(config.ringCapacity());
        stage = new VoteStage(config, log, metrics, this);
        gate = new MessageGate(log, metrics, quota);
    }

    @Override
    public void onFrame(ByteBuf frame, IngressLink link) {
        stage.accept(frame, link, stableSequence);
    }

    @Override
    public void onBurstEnd() {
        stage.finish();
        if (hasPublished) {
            hasPublished = false;
            wakeup.run();
        }
    }

    @Override
    public void onStored(long handle, IngressLink link, int length) {
        quota.take(link, length);
        if (ring.offer(handle)) {
            hasPublished = true;
            return;
        }
        quota.giveBack(link.peerId(), length);
        log.release(handle);
        metrics.refused.increment();
    }

    @Override
    public void onDropped(IngressLink link, int length) {
        // Nothing was taken from the quota yet.
    }

    @Override
    public int drain(Consumer<Message> consumer, int limit) {
        int taken = 0;
        for (; taken < limit; taken++) {
            long handle = ring.poll();
            if (handle == HandleRing.EMPTY) {
                break;
            }
            gate.pass(handle, consumer);
        }
        return taken;
    }

    @Override
    public boolean isEmpty() {
        return ring.isEmpty();
    }

    @Override
    public void setWakeup(Runnable wakeup) {
        this.wakeup = wakeup;
    }

    @Override
    public void discardThrough(long newStableSequence) {
        stableSequence = newStableSequence;
        gate.discardThrough(newStableSequence);
    }

    @Override
    public void close() {
        stage.finish();
    }
}
