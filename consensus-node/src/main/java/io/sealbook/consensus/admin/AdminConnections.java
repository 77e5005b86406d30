package io.sealbook.consensus.admin;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.ssl.SslContext;
import io.sealbook.access.Descriptors;
import io.sealbook.access.FairPlaces;
import io.sealbook.access.HostHeader;
import io.sealbook.consensus.config.AdminConfig;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The open connections of the admin port, at most {@link AdminConfig#connectionsMax}. At the limit, a new one takes the
 * place of one that waits for its request: of those of the address that has most of them, that which waits longest. So
 * connections without a request keep nobody out, and an address costs another one nothing. Only the admin event loop
 * changes it.
 */
final class AdminConnections {
    private static final int REQUEST_LINE_BYTES_MAX = 1_024;
    private static final int HEADERS_BYTES_MAX = 8_192;
    private static final int BODY_BYTES_MAX = 1_024;

    private final AdminConfig config;
    private final HostHeader host;
    private final Optional<SslContext> tls;
    private final Map<String, Supplier<Answer>> pages;
    private final OperatorGate operator;
    private final AdminRates rates;
    /** Those without a complete request. */
    private final FairPlaces<Channel> waiting;

    private final int connectionsMax;
    private final AtomicInteger openCount = new AtomicInteger();

    /**
     * @param config the limits
     * @param tls what connections must be; empty for plain HTTP
     * @param pages by path; each answer is made on a virtual thread
     * @param operator judges who may see and set log levels
     * @param rates what each caller may send
     */
    AdminConnections(
            AdminConfig config,
            Optional<SslContext> tls,
            Map<String, Supplier<Answer>> pages,
            OperatorGate operator,
            AdminRates rates) {
        this.config = config;
        host = new HostHeader(config.address());
        connectionsMax = Math.min(config.connectionsMax(), Descriptors.sockets(Descriptors.Port.ADMIN));
        waiting = new FairPlaces<>(connectionsMax);
        this.tls = tls;
        this.pages = pages;
        this.operator = operator;
        this.rates = rates;
    }

    /** Takes a new connection in, or closes it when every place is held by one whose answer is on its way. */
    void add(Channel channel) {
        openCount.incrementAndGet();
        channel.closeFuture().addListener(closed -> {
            openCount.decrementAndGet();
            waiting.release(channel);
        });
        if (openCount.get() > connectionsMax && !closeOneThatWaits()) {
            channel.close();
            return;
        }
        // The time of a request runs from here on, a handshake included.
        tls.ifPresent(context -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
        channel.pipeline()
                .addLast(rates.meter())
                .addLast(new HttpServerCodec(REQUEST_LINE_BYTES_MAX, HEADERS_BYTES_MAX, HEADERS_BYTES_MAX))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new HttpObjectAggregator(BODY_BYTES_MAX))
                .addLast(new AdminExchange(this));
    }

    private boolean closeOneThatWaits() {
        if (waiting.takenCount() == 0) {
            return false;
        }
        waiting.evict().close();
        return true;
    }

    /** Notes that a connection waits for a request from now on. */
    void onWaiting(Channel channel) {
        Channel surplus = waiting.take(channel, ((InetSocketAddress) channel.remoteAddress()).getAddress());
        if (surplus != null) {
            surplus.close();
        }
    }

    /** Notes that a connection has its request. */
    void onRequest(Channel channel) {
        waiting.release(channel);
    }

    /** Returns how many are open. Any thread. */
    int openCount() {
        return openCount.get();
    }

    int requestTimeoutMs() {
        return config.requestTimeoutMs();
    }

    /**
     * Returns whether a request is for another host, by the value of its header. With TLS the certificate says that.
     */
    boolean isForeign(String hostHeader) {
        return tls.isEmpty() && host.isForeign(hostHeader);
    }

    OperatorGate operator() {
        return operator;
    }

    AdminRates rates() {
        return rates;
    }

    /** Returns what makes the answer to this path; null if there is no such page. */
    Supplier<Answer> page(String path) {
        return pages.get(path);
    }
}
