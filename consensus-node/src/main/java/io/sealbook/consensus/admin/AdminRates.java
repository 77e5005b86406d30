package io.sealbook.consensus.admin;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.sealbook.access.RefusalLog;
import io.sealbook.access.rate.PortRates;
import io.sealbook.access.rate.RateRefusal;
import io.sealbook.access.rate.Rates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each caller may do per second at the admin port: its certificate, and all of one address together; without TLS
 * each address. A request that is too much gets 429; a byte that is too much ends its connection, because what follows
 * it need not end. The admin event loop uses it.
 */
final class AdminRates {
    private static final Logger LOG = LoggerFactory.getLogger(AdminRates.class);

    private final PortRates quota;
    private final LongSupplier clockNs;
    private final Counter refused;
    private final RefusalLog log;

    /**
     * @param rates of one certificate, without TLS of one address
     * @param hasTls whether connections show certificates
     * @param registry gets the counter of what is refused
     * @param clockNs the time in nanoseconds, from any origin
     */
    AdminRates(Rates rates, boolean hasTls, MeterRegistry registry, LongSupplier clockNs) {
        this.quota = new PortRates(rates, hasTls);
        this.clockNs = clockNs;
        this.refused = Counter.builder("sealbook.admin.refused.rates")
                .description("Do some send more to the admin port than they may?")
                .register(registry);
        this.log = new RefusalLog(
                "admin port",
                "sealbook_admin_refused_rates_total",
                LOG::warn,
                (task, delayMs) -> CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS)
                        .execute(task));
    }

    /** Counts a request; returns why it is refused, if it is. */
    Optional<RateRefusal> takeRequest(ChannelHandlerContext context) {
        long nowNs = clockNs.getAsLong();
        Optional<RateRefusal> refusal = share(context, nowNs).takeCall(nowNs);
        refusal.ifPresent(present -> count(context, present));
        return refusal;
    }

    private Optional<RateRefusal> takeBytes(ChannelHandlerContext context, int count) {
        long nowNs = clockNs.getAsLong();
        return share(context, nowNs).takeBytes(count, nowNs);
    }

    private PortRates.Share share(ChannelHandlerContext context, long nowNs) {
        InetAddress address = ((InetSocketAddress) context.channel().remoteAddress()).getAddress();
        return quota.share(holder(context, address), address, nowNs);
    }

    private void count(ChannelHandlerContext context, RateRefusal refusal) {
        refused.increment();
        log.refused(context.channel().remoteAddress(), refusal.reason());
    }

    private static Object holder(ChannelHandlerContext context, InetAddress address) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        try {
            Certificate shown = tls == null ? null : tls.engine().getSession().getPeerCertificates()[0];
            return shown == null ? address : shown;
        } catch (SSLPeerUnverifiedException e) {
            return address;
        }
    }

    /** Returns the handler of one connection that counts its bytes, after TLS and before HTTP. */
    ChannelInboundHandlerAdapter meter() {
        return new ByteMeter();
    }

    private final class ByteMeter extends ChannelInboundHandlerAdapter {
        private boolean isRefused;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            int length = ((ByteBuf) message).readableBytes();
            Optional<RateRefusal> refusal = isRefused ? Optional.empty() : takeBytes(context, length);
            if (!isRefused && refusal.isEmpty()) {
                context.fireChannelRead(message);
                return;
            }
            ReferenceCountUtil.release(message);
            isRefused = true;
            refusal.ifPresent(present -> {
                count(context, present);
                context.close();
            });
        }
    }
}
