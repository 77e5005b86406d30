package io.sealbook.consensus.admin;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.sealbook.access.Descriptors;
import io.sealbook.access.FairPlaces;
import io.sealbook.access.SocketPlaces;
import io.sealbook.consensus.config.AdminConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The connections of the admin port that may send requests, at most {@link AdminConfig#connectionsMax}. At the limit, a
 * new one takes the place of one that waits for its request: of those of the address, with TLS of the certificate, that
 * has most of them, that which waits longest. So connections without a request take no place from one with a request,
 * and a caller none from another one. With TLS a connection takes a place after its handshake, for which it has another
 * one ({@link io.sealbook.access.ConnectionLimit}). Only the admin event loop changes it.
 */
final class AdminConnections {
    private static final int REQUEST_LINE_BYTES_MAX = 1_024;
    private static final int HEADERS_BYTES_MAX = 8_192;
    private static final int BODY_BYTES_MAX = 1_024;

    private final AdminConfig config;
    private final Optional<SslContext> tls;
    private final Map<String, Supplier<Answer>> pages;
    private final OperatorGate operator;
    private final AdminRates rates;
    /** Those without a complete request. */
    private final FairPlaces<Channel> waiting;

    /** Those that have a place, and the holder of each. */
    private final Map<Channel, Object> holders = new HashMap<>();

    private final SocketPlaces sockets;
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
        sockets =
                SocketPlaces.of(config.connectionsMax(), Descriptors.sockets(Descriptors.Port.ADMIN), tls.isPresent());
        waiting = new FairPlaces<>(sockets.connectionsMax());
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
            holders.remove(channel);
            waiting.release(channel);
        });
        // The time of a request runs from here on, a handshake included.
        if (tls.isPresent()) {
            SslHandler handler = tls.get().newHandler(channel.alloc());
            channel.pipeline().addLast(handler);
            handler.handshakeFuture().addListener(done -> {
                if (done.isSuccess() && channel.isOpen() && takePlace(channel)) {
                    onWaiting(channel);
                }
            });
        } else if (!takePlace(channel)) {
            return;
        }
        AdminExchange exchange = new AdminExchange(this);
        channel.pipeline()
                .addLast(rates.meter())
                .addLast(exchange.clock())
                .addLast(new HttpServerCodec(REQUEST_LINE_BYTES_MAX, HEADERS_BYTES_MAX, HEADERS_BYTES_MAX))
                .addLast(new HttpServerKeepAliveHandler())
                .addLast(new HttpObjectAggregator(BODY_BYTES_MAX))
                .addLast(exchange);
    }

    private boolean takePlace(Channel channel) {
        if (holders.size() >= sockets.connectionsMax()) {
            if (waiting.takenCount() == 0) {
                channel.close();
                return false;
            }
            Channel evicted = waiting.evict();
            // Its end may have to wait for bytes of TLS.
            holders.remove(evicted);
            evicted.close();
        }
        holders.put(channel, AdminRates.holder(channel));
        return true;
    }

    /** Notes that a connection waits for a request from now on; nothing happens if it has no place. */
    void onWaiting(Channel channel) {
        Object holder = holders.get(channel);
        if (holder != null) {
            waiting.take(channel, holder);
        }
    }

    /** Notes that a connection has its request. */
    void onRequest(Channel channel) {
        waiting.release(channel);
    }

    /** Returns the sockets of the port. */
    SocketPlaces sockets() {
        return sockets;
    }

    /** Returns how many are open, those without a place included. Any thread. */
    int openCount() {
        return openCount.get();
    }

    int requestTimeoutMs() {
        return config.requestTimeoutMs();
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
