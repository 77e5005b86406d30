package io.sealbook.consensus.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sealbook.access.TlsPorts;
import io.sealbook.access.TrustedConnections;
import io.sealbook.consensus.config.AdminConfig;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.peer.loop.EventLoops;
import io.sealbook.tls.TlsIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The admin port.
 *
 * <pre>
 *   GET /metrics        Prometheus text
 *   GET /health/live    200 while the process works
 *   GET /health/ready   200 when the process can serve, else 503 with the reason
 *   GET /status         NodeStatus, or FollowerStatus, as JSON
 *   GET /loggers        the log levels that are set, for the operator only
 *   PUT /loggers/NAME   sets the level in the body, for the operator only
 * </pre>
 *
 * <p>A client that never ends its request, or never reads its answer, holds a connection until its time is over and
 * nothing else: requests are read on an event loop, each answer is made on a separate virtual thread. Without TLS,
 * requests for another host get 421, see {@link io.sealbook.access.HostHeader}.
 *
 * <p>It holds threads and its port from a successful {@link #start} until {@link #close}. Any thread.
 */
public final class AdminServer implements AutoCloseable {
    private static final int CLOSE_TIMEOUT_S = 5;

    private final AdminConfig config;
    private final Optional<TlsIdentity> tls;
    private final AdminConnections connections;
    private EventLoopGroup loop;
    private Channel server;
    private boolean isClosed;

    /**
     * Opens nothing yet.
     *
     * @param config address and limits
     * @param tls identity of the server; empty for plain HTTP
     * @param registry what {@code /metrics} shows; gets the counter of the port's refusals
     * @param readiness asked for each {@code /health/ready}; must not wait
     * @param status asked for each {@code /status}; must not wait
     * @param operator judges who may see and set log levels
     */
    public AdminServer(
            AdminConfig config,
            Optional<TlsIdentity> tls,
            PrometheusMeterRegistry registry,
            Supplier<Readiness> readiness,
            Supplier<? extends Message> status,
            OperatorGate operator) {
        this.config = config;
        this.tls = tls;
        this.connections = new AdminConnections(
                config,
                tls.map(TlsPorts::http),
                Map.of(
                        "/metrics",
                        () -> new Answer(HttpResponseStatus.OK, "text/plain; version=0.0.4", registry.scrape()),
                        "/health/live",
                        () -> Answer.text(HttpResponseStatus.OK, "live"),
                        "/health/ready",
                        () -> ready(readiness.get()),
                        "/status",
                        () -> new Answer(HttpResponseStatus.OK, "application/json", json(status.get()))),
                operator,
                new AdminRates(config.rates(), tls.isPresent(), registry, System::nanoTime));
    }

    /**
     * Binds the port and answers.
     *
     * @throws IOException if the port cannot be bound; nothing runs then, and it may be tried again
     * @throws IllegalStateException if it runs or was closed
     */
    public synchronized void start() throws IOException {
        if (isClosed || server != null) {
            throw new IllegalStateException(isClosed ? "admin server was closed" : "admin server runs already");
        }
        loop = EventLoops.open(1, "admin");
        InetSocketAddress address = new InetSocketAddress(config.address(), config.port());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(EventLoops.serverChannelType())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                    }
                });
        tls.ifPresent(own -> bootstrap.handler(new TrustedConnections(own)));
        ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            endLoop();
            throw new IOException("admin port " + address + " cannot be bound", bound.cause());
        }
        server = bound.channel();
    }

    /**
     * Returns the port that is listened on.
     *
     * @throws IllegalStateException if it does not run
     */
    public synchronized int port() {
        if (server == null) {
            throw new IllegalStateException("admin server does not run");
        }
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** Returns how many connections are open. */
    public int connectionCount() {
        return connections.openCount();
    }

    private static Answer ready(Readiness now) {
        return now.isReady()
                ? Answer.text(HttpResponseStatus.OK, "ready")
                : Answer.text(HttpResponseStatus.SERVICE_UNAVAILABLE, now.reason());
    }

    private static String json(Message status) {
        try {
            return JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(status) + "\n";
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("a node status holds nothing that JSON cannot", e);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (server != null) {
            server = null;
            endLoop();
        }
    }

    /** Closes the port and every connection with the loop that serves them. */
    private void endLoop() {
        loop.shutdownGracefully(0, CLOSE_TIMEOUT_S, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
