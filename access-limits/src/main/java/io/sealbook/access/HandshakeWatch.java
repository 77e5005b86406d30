package io.sealbook.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Consumer;

/**
 * First handler of an accepted connection: reports when its hello is answered and when its handshake is done, and then
 * leaves the pipeline. Its event loop only.
 */
final class HandshakeWatch extends ChannelDuplexHandler {
    private final Consumer<Channel> onAnswered;
    private final Consumer<SslHandler> onDone;
    private boolean isAnswered;
    private boolean isAwaited;

    /**
     * @param onAnswered is given the connection when the server writes its first bytes
     * @param onDone is given the TLS of the connection when its handshake has succeeded
     */
    HandshakeWatch(Consumer<Channel> onAnswered, Consumer<SslHandler> onDone) {
        this.onAnswered = onAnswered;
        this.onDone = onDone;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        if (!isAwaited && tls != null) {
            isAwaited = true;
            tls.handshakeFuture().addListener(done -> {
                if (done.isSuccess()) {
                    context.pipeline().remove(this);
                    onDone.accept(tls);
                }
            });
        }
        context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!isAnswered) {
            isAnswered = true;
            onAnswered.accept(context.channel());
        }
        context.write(message, promise);
    }
}
