package io.sealbook.peer.offload;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.frame.Frame;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/** Offload off: the event loop only passes frames on; the agent judges, verifies and stores them before it counts. */
public final class AgentOffload extends StagedOffload {
    private final OneToOneConcurrentArrayQueue<Arrival> arrivals;
    private final ArrayDeque<Long> stored = new ArrayDeque<>();
    private boolean hasArrivals;

    public AgentOffload(OffloadConfig config, MeterRegistry registry) {
        super(config, registry);
        arrivals = new OneToOneConcurrentArrayQueue<>(config.ringCapacity());
    }

    @Override
    public void onFrame(ByteBuf frame, IngressLink link) {
        noteLink(link);
        int length = Frame.payloadLength(frame);
        quota.take(link, length);
        if (arrivals.offer(new Arrival(frame, link))) {
            hasArrivals = true;
            return;
        }
        frame.release();
        quota.giveBack(link.peerId(), length);
        metrics.refused.increment();
    }

    @Override
    public void onBurstEnd() {
        if (hasArrivals) {
            hasArrivals = false;
            wakeAgent();
        }
    }

    @Override
    public int drain(Consumer<Message> consumer, int limit) {
        int taken = 0;
        for (; taken < limit; taken++) {
            Arrival arrival = arrivals.poll();
            if (arrival == null) {
                break;
            }
            stage.accept(arrival.frame, arrival.link, stableSequence());
        }
        stage.finish();
        while (!stored.isEmpty()) {
            gate.pass(stored.poll(), consumer);
        }
        return taken;
    }

    @Override
    public void onStored(long handle, IngressLink link, int length) {
        stored.add(handle);
    }

    @Override
    public void onDropped(IngressLink link, int length) {
        quota.giveBack(link.peerId(), length);
    }

    @Override
    public boolean isEmpty() {
        return arrivals.isEmpty();
    }

    @Override
    public void close() {
        for (Arrival arrival = arrivals.poll(); arrival != null; arrival = arrivals.poll()) {
            arrival.frame.release();
        }
    }

    private record Arrival(ByteBuf frame, IngressLink link) {}
}
