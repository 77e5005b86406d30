package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.sealbook.peer.handshake.AcceptorHandshake;
import io.sealbook.peer.handshake.DialerHandshake;
import io.sealbook.peer.handshake.HandshakeException;
import io.sealbook.peer.handshake.HandshakeMessage;
import io.sealbook.peer.handshake.HandshakeRefusal;
import io.sealbook.peer.handshake.Session;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A connection during its handshake: reads handshake messages, sends the answers, and is then replaced by the handler
 * of the session's frames, which receives the bytes that came after the handshake.
 */
abstract sealed class HandshakeHandler extends ByteToMessageDecoder {
    final Connections connections;
    /** The peer at the other end, as it says; -1 while it has said nothing. */
    int peer;

    private Runnable onRemoved = () -> {};
    private boolean isOver;

    private HandshakeHandler(Connections connections, int peer) {
        this.connections = connections;
        this.peer = peer;
    }

    /** Answers one message; returns the session once there is one, else null. */
    abstract Session onMessage(ChannelHandlerContext context, byte[] message) throws HandshakeException;

    /** Sets what to run once the handshake is over or its connection closed. */
    void whenRemoved(Runnable task) {
        onRemoved = task;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        isOver = true;
        onRemoved.run();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        int timeoutMs = connections.limits().handshakeTimeoutMs();
        context.executor()
                .schedule(
                        () -> {
                            if (!isOver) {
                                context.close();
                            }
                        },
                        timeoutMs,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws HandshakeException {
        if (isOver) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < HandshakeMessage.HEADER_LENGTH) {
            return;
        }
        byte[] header = new byte[HandshakeMessage.HEADER_LENGTH];
        in.getBytes(in.readerIndex(), header);
        int length = HandshakeMessage.length(header);
        if (in.readableBytes() < length) {
            return;
        }
        byte[] message = new byte[length];
        in.readBytes(message);
        Session session = onMessage(context, message);
        if (session != null) {
            isOver = true;
            connections.onSession(context.channel(), session);
            context.pipeline().remove(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause.getCause() instanceof HandshakeException inner ? inner : cause;
        isOver = true;
        if (reason instanceof HandshakeException refused) {
            connections.onRefused(context.channel(), refused);
            if (refused.isOfIdentity() && peer >= 0) {
                connections.onIdentityRefused(peer);
            }
            if (refused.refusal() != HandshakeRefusal.REFUSED_BY_PEER) {
                byte[] rejection = HandshakeMessage.reject(refused.refusal(), connections.genesisDigest());
                context.writeAndFlush(Unpooled.wrappedBuffer(rejection)).addListener(ChannelFutureListener.CLOSE);
                return;
            }
        } else {
            connections.onFailed(context.channel(), reason);
        }
        context.close();
    }

    static void write(ChannelHandlerContext context, byte[] message) {
        context.writeAndFlush(Unpooled.wrappedBuffer(message), context.voidPromise());
    }

    /** The side that was dialed. */
    static final class Acceptor extends HandshakeHandler {
        private final AcceptorHandshake handshake;
        private boolean hasHello;

        Acceptor(Connections connections, AcceptorHandshake handshake) {
            super(connections, -1);
            this.handshake = handshake;
        }

        @Override
        Session onMessage(ChannelHandlerContext context, byte[] message) throws HandshakeException {
            if (!hasHello) {
                peer = handshake.onHello(message);
                connections.onHello(context.channel(), peer);
                write(context, handshake.hello());
                hasHello = true;
                return null;
            }
            AcceptorHandshake.Accepted accepted = handshake.onAuth(message);
            write(context, accepted.confirmation());
            return accepted.session();
        }
    }

    /** The side that dials. */
    static final class Dialer extends HandshakeHandler {
        private final DialerHandshake handshake;
        private boolean hasHello;

        Dialer(Connections connections, DialerHandshake handshake, int peer) {
            super(connections, peer);
            this.handshake = handshake;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            write(context, handshake.hello());
        }

        @Override
        Session onMessage(ChannelHandlerContext context, byte[] message) throws HandshakeException {
            if (!hasHello) {
                write(context, handshake.onHello(message));
                hasHello = true;
                return null;
            }
            return handshake.onConfirm(message);
        }
    }
}
