package io.sealbook.access;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import io.sealbook.tls.TlsIdentity;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLSession;

/**
 * Ends connections whose certificates are no longer trusted: revoked, expired, or of an authority that was removed; and
 * those that have lost their role. Handler of a listening channel, whose event loop looks at them each second.
 */
public final class TrustedConnections extends ChannelInboundHandlerAdapter {
    private static final System.Logger LOG = System.getLogger(TrustedConnections.class.getName());

    private static final long PERIOD_MS = 1_000;

    private final TlsIdentity identity;
    private final Predicate<SSLSession> further;
    /** Each leaves when it closes, on its own event loop. */
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();

    private ScheduledFuture<?> review;

    /** @param identity of the server */
    public TrustedConnections(TlsIdentity identity) {
        this(identity, session -> true);
    }

    /**
     * Makes a handler that judges by more than certificates.
     *
     * @param identity of the server
     * @param further false for a connection that ends although its certificate is trusted
     */
    public TrustedConnections(TlsIdentity identity, Predicate<SSLSession> further) {
        this.identity = identity;
        this.further = further;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        review = context.executor().scheduleWithFixedDelay(this::review, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (review != null) {
            review.cancel(false);
        }
        context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        open.add(accepted);
        accepted.closeFuture().addListener(closed -> open.remove(accepted));
        context.fireChannelRead(accepted);
    }

    private void review() {
        try {
            endUntrusted();
        } catch (Throwable failure) {
            // An error, too: the event loop would never call it again.
            LOG.log(Level.WARNING, "TLS: the certificates of open connections were not reviewed: {0}", failure);
        }
    }

    private void endUntrusted() {
        Predicate<SSLSession> isTrusted = identity.clientsNow().and(further);
        for (Channel each : open) {
            ChannelHandlerContext tls = each.pipeline().context(SslHandler.class);
            if (tls != null
                    && !isTrusted.test(((SslHandler) tls.handler()).engine().getSession())) {
                // Below HTTP/2, whose own close waits for the end of its streams.
                tls.close();
            }
        }
    }
}
