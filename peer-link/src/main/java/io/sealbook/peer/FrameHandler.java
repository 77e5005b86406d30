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

/**
 * A proven connection: passes whole frames to the role's receiver, keeps the connection alive, closes it on the first
 * nonsense.
 */
final class FrameHandler extends ChannelInboundHandlerAdapter implements IngressLink {
    private final Connections connections;
    private final Channel channel;
    private final FrameAuthenticator authenticator;
    private final int peerEpoch;
    private boolean hasFailed;

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
        connections.onRefused(peerId(), channel, fact);
    }

    @Override
    public void pause() {
        channel.config().setAutoRead(false);
    }

    @Override
    public void resume() {
        channel.config().setAutoRead(true);
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
                refuse("silent for " + connections.limits().silenceMaxMs() + " ms");
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
            refuse(malformed.getMessage());
        } else {
            connections.onFailed(channel, cause);
            context.close();
        }
    }
}
