package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import java.util.function.Consumer;

/** Offload on: the event loop judges, verifies and stores; the agent receives handles. */
public final class EventLoopOffload extends StagedOffload {
    private final HandleRing ring;
    private boolean hasPublished;

    public EventLoopOffload(OffloadConfig config, MeterRegistry registry) {
        super(config, registry);
        ring = new HandleRing(config.ringCapacity());
    }

    @Override
    public void onFrame(ByteBuf frame, IngressLink link) {
        noteLink(link);
        stage.accept(frame, link, stableSequence());
    }

    @Override
    public void onBurstEnd() {
        stage.finish();
        if (hasPublished) {
            hasPublished = false;
            wakeAgent();
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
    public void close() {
        stage.finish();
    }
}
