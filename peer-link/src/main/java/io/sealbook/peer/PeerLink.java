package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.handshake.ConnectionRole;
import java.util.ArrayDeque;

/**
 * What goes out to one peer in one role: the session's channel if there is one, and a queue bounded in bytes in front
 * of it.
 *
 * <pre>
 *   DOWN ─ connect ─▶ UP ─ disconnect ─▶ DOWN        DOWN drops the queue: its codes are of the ended session
 * </pre>
 *
 * The role's event loop only; {@link #queuedBytes} any thread.
 */
final class PeerLink {
    private final int queueBytesMax;
    private final boolean dropsOldest;
    private final PeerMetrics metrics;
    private final ArrayDeque<ByteBuf> queue = new ArrayDeque<>();
    private volatile long queuedBytes;
    private Channel channel;
    private FrameCode code;
    private boolean needsFlush;
    private boolean hasWritten;
    private boolean hasRead;

    PeerLink(ConnectionRole role, PeerLimits limits, PeerMetrics metrics) {
        this.dropsOldest = role == ConnectionRole.VOTE;
        this.queueBytesMax = dropsOldest ? limits.voteQueueBytesMax() : limits.payloadQueueBytesMax();
        this.metrics = metrics;
    }

    boolean isUp() {
        return channel != null;
    }

    boolean isOn(Channel other) {
        return channel == other;
    }

    /** Returns the channel, or null while down. */
    Channel channel() {
        return channel;
    }

    /** Returns what makes codes for the peer, or null while down. */
    FrameCode code() {
        return code;
    }

    void connect(Channel newChannel, FrameCode newCode) {
        channel = newChannel;
        code = newCode;
    }

    void disconnect() {
        channel = null;
        code = null;
        needsFlush = false;
        while (!queue.isEmpty()) {
            queue.poll().release();
            metrics.droppedWithConnection.increment();
        }
        queuedBytes = 0;
    }

    /** Takes a frame of the present session; its reference becomes the link's. */
    void enqueue(ByteBuf frame) {
        if (queue.isEmpty() && channel.isWritable()) {
            write(frame);
            return;
        }
        int length = frame.readableBytes();
        if (!dropsOldest && queuedBytes + length > queueBytesMax) {
            frame.release();
            metrics.droppedQueueFull.increment();
            return;
        }
        queue.add(frame);
        addQueuedBytes(length);
        while (queuedBytes > queueBytesMax && queue.size() > 1) {
            ByteBuf oldest = queue.poll();
            addQueuedBytes(-oldest.readableBytes());
            oldest.release();
            metrics.droppedQueueFull.increment();
        }
    }

    /** Writes what the channel takes, and flushes once. */
    void flush() {
        while (isUp() && !queue.isEmpty() && channel.isWritable()) {
            ByteBuf frame = queue.poll();
            addQueuedBytes(-frame.readableBytes());
            write(frame);
        }
        if (needsFlush) {
            needsFlush = false;
            channel.flush();
        }
    }

    /** Something was read from the session's channel. */
    void onRead() {
        hasRead = true;
    }

    /** Returns whether anything was written, or waits to be, since the last call. */
    boolean takeWritten() {
        boolean taken = hasWritten || !queue.isEmpty();
        hasWritten = false;
        return taken;
    }

    /** Returns whether anything was read since the last call, or could not be because the node does not read now. */
    boolean takeRead() {
        boolean taken = hasRead || isUp() && !channel.config().isAutoRead();
        hasRead = false;
        return taken;
    }

    long queuedBytes() {
        return queuedBytes;
    }

    private void write(ByteBuf frame) {
        metrics.framesOut.increment();
        metrics.bytesOut.increment(frame.readableBytes());
        channel.write(frame, channel.voidPromise());
        needsFlush = true;
        hasWritten = true;
    }

    /** Written by the loop alone; volatile for the gauge. */
    private void addQueuedBytes(int bytes) {
        queuedBytes = queuedBytes + bytes;
    }
}
