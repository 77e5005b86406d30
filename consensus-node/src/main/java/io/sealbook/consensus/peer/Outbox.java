package io.sealbook.consensus.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.sealbook.consensus.peer.frame.FrameCode;
import io.sealbook.consensus.peer.frame.FrameContent;
import io.sealbook.consensus.peer.frame.FrameEncoder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * The way out of one role: any thread submits, the role's event loop hashes, computes codes, and writes to the links. What was
 * submitted while the loop was busy is flushed together.
 */
final class Outbox {
    /** Receiver of a broadcast. */
    static final int ALL = -1;

    private static final int BURST_MAX = 256;
    /** A loop this far behind is stuck; more memory would not help it. */
    private static final long SUBMITTED_BYTES_MAX = 256L << 20;

    private final int nodeId;
    private final PeerLink[] links;
    private final FrameEncoder encoder;
    private final FrameCode[] codes;
    private final EventLoop loop;
    private final PeerMetrics metrics;
    private final ManyToOneConcurrentLinkedQueue<Outgoing> submitted = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicLong submittedBytes = new AtomicLong();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** @param links by node id; null for this node */
    Outbox(int nodeId, PeerLink[] links, EventLoop loop, PeerMetrics metrics) {
        this.nodeId = nodeId;
        this.links = links;
        this.encoder = new FrameEncoder(nodeId, links.length);
        this.codes = new FrameCode[links.length];
        this.loop = loop;
        this.metrics = metrics;
    }

    /** Returns the counter of the last frame made. Event loop. */
    long frameCounter() {
        return encoder.counter();
    }

    /** Any thread. */
    void submit(int to, FrameContent content) {
        if (to != ALL && (to < 0 || to >= links.length || to == nodeId)) {
            throw new IllegalArgumentException("no such peer: " + to);
        }
        int length = content.payload().length;
        if (submittedBytes.get() + length > SUBMITTED_BYTES_MAX) {
            metrics.droppedOverloaded.increment();
            return;
        }
        submittedBytes.addAndGet(length);
        submitted.add(new Outgoing(to, content));
        if (isScheduled.compareAndSet(false, true)) {
            loop.execute(this::sendSubmitted);
        }
    }

    /** Sends now. Event loop. */
    void send(int to, FrameContent content) {
        boolean hasReceiver = false;
        for (int peer = 0; peer < links.length; peer++) {
            boolean isMeant = peer != nodeId && (to == ALL || to == peer);
            codes[peer] = isMeant ? links[peer].code() : null;
            if (isMeant && codes[peer] == null) {
                metrics.droppedUnconnected.increment();
            }
            hasReceiver |= codes[peer] != null;
        }
        if (!hasReceiver) {
            return;
        }
        ByteBuf frame = encoder.encode(ByteBufAllocator.DEFAULT, content, codes);
        for (int peer = 0; peer < links.length; peer++) {
            if (codes[peer] != null) {
                links[peer].enqueue(frame.retainedDuplicate());
            }
        }
        frame.release();
    }

    private void sendSubmitted() {
        isScheduled.set(false);
        for (int sent = 0; sent < BURST_MAX; sent++) {
            Outgoing outgoing = submitted.poll();
            if (outgoing == null) {
                break;
            }
            submittedBytes.addAndGet(-outgoing.content.payload().length);
            send(outgoing.to, outgoing.content);
        }
        for (PeerLink link : links) {
            if (link != null) {
                link.flush();
            }
        }
        // The rest waits its turn, so that reading is not starved.
        if (!submitted.isEmpty() && isScheduled.compareAndSet(false, true)) {
            loop.execute(this::sendSubmitted);
        }
    }

    private record Outgoing(int to, FrameContent content) {}
}
