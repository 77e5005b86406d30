package io.sealbook.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Closes accepted connections beyond a quota. Without TLS the holder of a place is an address, and the connection is
 * closed before anything is made for it. With TLS the holder is the certificate that the client shows; until then the
 * connection is one of a limited number of {@link Handshakes}. First handler of a listening channel, whose event loop
 * uses it.
 */
public final class ConnectionLimit extends ChannelInboundHandlerAdapter {
    private final HolderQuota quota;
    private final Optional<Handshakes> handshakes;
    private final BiConsumer<InetSocketAddress, String> onRefused;

    private ConnectionLimit(
            HolderQuota quota, Optional<Handshakes> handshakes, BiConsumer<InetSocketAddress, String> onRefused) {
        this.quota = quota;
        this.handshakes = handshakes;
        this.onRefused = onRefused;
    }

    /**
     * Returns a limit for a port without TLS.
     *
     * @param quota of open connections, by address
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public static ConnectionLimit plain(HolderQuota quota, BiConsumer<InetSocketAddress, String> onRefused) {
        return new ConnectionLimit(quota, Optional.empty(), onRefused);
    }

    /**
     * Returns a limit for a port with TLS.
     *
     * @param quota of connections whose handshake is done, by certificate
     * @param handshakesMax further connections whose hello has not come, and as many whose hello is answered
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    public static ConnectionLimit tls(
            HolderQuota quota, int handshakesMax, BiConsumer<InetSocketAddress, String> onRefused) {
        return new ConnectionLimit(quota, Optional.of(new Handshakes(handshakesMax)), onRefused);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        InetSocketAddress remote = (InetSocketAddress) accepted.remoteAddress();
        if (remote == null) {
            // The client has closed it already.
            accepted.unsafe().closeForcibly();
        } else if (handshakes.isPresent()) {
            beginHandshake(handshakes.get(), accepted, remote);
            context.fireChannelRead(accepted);
        } else if (take(accepted, remote, remote.getAddress())) {
            context.fireChannelRead(accepted);
        } else {
            accepted.unsafe().closeForcibly();
        }
    }

    private void beginHandshake(Handshakes places, Channel accepted, InetSocketAddress remote) {
        InetAddress address = remote.getAddress();
        accepted.pipeline()
                .addFirst(new HandshakeWatch(
                        channel -> evict(places.onAnswered(channel, address)),
                        tls -> endHandshake(places, accepted, remote, tls)));
        accepted.closeFuture().addListener(closed -> places.onOver(accepted));
        evict(places.onAccepted(accepted, address));
    }

    private void evict(Channel evicted) {
        if (evicted != null) {
            onRefused.accept(
                    (InetSocketAddress) evicted.remoteAddress(),
                    "its handshake is not done, and its address has most of those");
            evicted.close();
        }
    }

    private void endHandshake(Handshakes places, Channel accepted, InetSocketAddress remote, SslHandler tls) {
        places.onOver(accepted);
        try {
            if (!take(accepted, remote, tls.engine().getSession().getPeerCertificates()[0])) {
                accepted.close();
            }
        } catch (SSLPeerUnverifiedException e) {
            // The port requires a certificate, so that no handshake is done without one.
            accepted.close();
        }
    }

    private boolean take(Channel accepted, InetSocketAddress remote, Object holder) {
        HolderQuota.Answer answer = quota.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            onRefused.accept(remote, quota.describe(answer, holder, "connections"));
            return false;
        }
        accepted.closeFuture().addListener(closed -> quota.release(holder));
        return true;
    }
}
