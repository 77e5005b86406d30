package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.sealbook.peer.frame.Frame;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameEncoder;
import io.sealbook.peer.frame.FramedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * The way out of one role: any thread submits, the role's event loop hashes, computes codes, and writes to the links.
 * What was submitted while the loop was busy is flushed together, and batches for the same receivers go in one frame.
 */
final class Outbox {
    /** Receiver of a broadcast. */
    static final int ALL = -1;

    private static final int BURST_MAX = 256;
    /** A frame with so much in it is sent; the next batch begins another. */
    private static final int BATCHES_BYTES_ENOUGH = 64 << 10;
    /** A loop with this backlog is stuck; more memory would not help it. */
    private static final long SUBMITTED_BYTES_MAX = 256L << 20;

    private final int nodeId;
    private final PeerLink[] links;
    private final FrameEncoder encoder;
    private final FrameCode[] codes;
    private final EventLoop loop;
    private final PeerMetrics metrics;
    private final ManyToOneConcurrentLinkedQueue<Outgoing> submitted = new ManyToOneConcurrentLinkedQueue<>();
    /** Of the frame in hand. */
    private final List<FramedBatch> batches = new ArrayList<>(Frame.BATCHES_MAX);

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
        submit(new Outgoing(to, content, null));
    }

    /** Any thread. */
    void submit(int to, FramedBatch batch) {
        submit(new Outgoing(to, null, batch));
    }

    private void submit(Outgoing outgoing) {
        int to = outgoing.to;
        if (to != ALL && (to < 0 || to >= links.length || to == nodeId)) {
            throw new IllegalArgumentException("no such peer: " + to);
        }
        int length = outgoing.length();
        if (submittedBytes.get() + length > SUBMITTED_BYTES_MAX) {
            metrics.droppedOverloaded.increment();
            return;
        }
        submittedBytes.addAndGet(length);
        submitted.add(outgoing);
        if (isScheduled.compareAndSet(false, true)) {
            loop.execute(this::sendSubmitted);
        }
    }

    /** Sends now. Event loop. */
    void send(int to, FrameContent content) {
        if (selectCodes(to)) {
            enqueue(encoder.encode(ByteBufAllocator.DEFAULT, content, codes));
        }
    }

    /** Chooses the codes of the receivers that are connected; false if there is none. */
    private boolean selectCodes(int to) {
        boolean hasReceiver = false;
        for (int peer = 0; peer < links.length; peer++) {
            boolean isMeant = peer != nodeId && (to == ALL || to == peer);
            codes[peer] = isMeant ? links[peer].code() : null;
            if (isMeant && codes[peer] == null) {
                metrics.droppedUnconnected.increment();
            }
            hasReceiver |= codes[peer] != null;
        }
        return hasReceiver;
    }

    private void enqueue(ByteBuf frame) {
        for (int peer = 0; peer < links.length; peer++) {
            if (codes[peer] != null) {
                links[peer].enqueue(frame.retainedDuplicate());
            }
        }
        frame.release();
    }

    private void sendSubmitted() {
        isScheduled.set(false);
        for (int sent = 0; sent < BURST_MAX; ) {
            Outgoing outgoing = poll();
            if (outgoing == null) {
                break;
            }
            if (outgoing.batch == null) {
                send(outgoing.to, outgoing.content);
                sent++;
            } else {
                sent += sendBatches(outgoing);
            }
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

    /** Sends a batch and those after it with the same receivers; returns their number. */
    private int sendBatches(Outgoing first) {
        batches.clear();
        batches.add(first.batch);
        int bytes = first.length();
        while (bytes < BATCHES_BYTES_ENOUGH && batches.size() < Frame.BATCHES_MAX) {
            Outgoing next = submitted.peek();
            if (next == null || next.batch == null || next.to != first.to) {
                break;
            }
            batches.add(poll().batch);
            bytes += next.length();
        }
        if (selectCodes(first.to)) {
            enqueue(encoder.encodeBatches(ByteBufAllocator.DEFAULT, batches, codes));
        }
        return batches.size();
    }

    private Outgoing poll() {
        Outgoing outgoing = submitted.poll();
        if (outgoing != null) {
            submittedBytes.addAndGet(-outgoing.length());
        }
        return outgoing;
    }

    /** Has either a content or a batch. */
    private record Outgoing(int to, FrameContent content, FramedBatch batch) {
        int length() {
            return batch == null ? content.payload().length : batch.signedBatch().length;
        }
    }
}
