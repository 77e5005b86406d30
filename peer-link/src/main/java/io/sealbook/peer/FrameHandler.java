package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.MalformedFrameException;
import io.sealbook.peer.offload.IngressLink;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A proven connection: passes whole frames to the role's receiver, keeps the connection alive, closes it on the first
 * nonsense. Several reasons may keep it from being read; the last one that ends lets it go on.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter implements IngressLink {
    private final Connections connections;
    private final Channel channel;
    private final FrameAuthenticator authenticator;
    private final int peerEpoch;
    /** Reasons for which nothing is read; guarded by this, because the agent ends one while the loop begins another. */
    private final Set<Pause> pauses = EnumSet.noneOf(Pause.class);

    /** End of the longest rest that was asked for, by the monotonic clock; guarded by this. */
    private long restUntilNs;

    private volatile boolean isRefused;
    private boolean hasFailed;

    private enum Pause {
        VOTES_WAIT,
        REST
    }

    FrameHandler(Connections connections, Channel channel, FrameAuthenticator authenticator, int peerEpoch) {
        this.connections = connections;
        this.channel = channel;
        this.authenticator = authenticator;
        this.peerEpoch = peerEpoch;
    }

    @Override
    public int peerId() {
        return authenticator.peerId();
    }

    @Override
    public int peerEpoch() {
        return peerEpoch;
    }

    @Override
    public FrameAuthenticator authenticator() {
        return authenticator;
    }

    @Override
    public void refuse(String fact) {
        isRefused = true;
        connections.onFault(peerId(), channel, fact);
    }

    @Override
    public boolean isRefused() {
        return isRefused;
    }

    @Override
    public void rest(long forNs) {
        long nowNs = System.nanoTime();
        synchronized (this) {
            boolean isResting = pauses.contains(Pause.REST);
            if (!isResting || nowNs + forNs - restUntilNs > 0) {
                restUntilNs = nowNs + forNs;
            }
            if (isResting) {
                return; // Its timer finds the later end.
            }
            begin(Pause.REST);
        }
        scheduleEndOfRest(forNs);
    }

    private void scheduleEndOfRest(long inNs) {
        connections.schedule(this::onRested, (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(inNs)));
    }

    private void onRested() {
        long leftNs;
        synchronized (this) {
            leftNs = restUntilNs - System.nanoTime();
            if (leftNs <= 0) {
                end(Pause.REST);
                return;
            }
        }
        scheduleEndOfRest(leftNs);
    }

    @Override
    public void pause() {
        begin(Pause.VOTES_WAIT);
    }

    @Override
    public void resume() {
        end(Pause.VOTES_WAIT);
    }

    private synchronized void begin(Pause pause) {
        pauses.add(pause);
        channel.config().setAutoRead(false);
    }

    private synchronized void end(Pause pause) {
        pauses.remove(pause);
        channel.config().setAutoRead(pauses.isEmpty());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        if (!channel.isOpen()) {
            frame.release();
            return;
        }
        connections.metrics().framesIn.increment();
        connections.metrics().bytesIn.increment(frame.readableBytes());
        connections.receiver().onFrame(frame, this);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        connections.onRead(peerId(), channel);
        connections.receiver().onBurstEnd();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        connections.onWritable(peerId());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof IdleStateEvent idle) {
            if (idle.state() == IdleState.WRITER_IDLE) {
                connections.sendHeartbeat(peerId());
            } else if (channel.config().isAutoRead()) {
                connections.onRefused(
                        peerId(), channel, "silent for " + connections.limits().silenceMaxMs() + " ms");
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connections.onLost(peerId(), channel);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (hasFailed) {
            // Each frame that was written and not sent reports the same end of the connection.
            connections.metrics().droppedWithConnection.increment();
            return;
        }
        hasFailed = true;
        if (cause.getCause() instanceof MalformedFrameException malformed) {
            connections.metrics().garbage.increment();
            // Whoever is between the two nodes can have made it.
            connections.onRefused(peerId(), channel, malformed.getMessage());
        } else {
            connections.onFailed(channel, cause);
            context.close();
        }
    }
}
