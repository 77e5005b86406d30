package io.sealbook.engine.rpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sealbook.access.Descriptors;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.SocketPlaces;
import io.sealbook.access.rate.CallRateLimit;
import io.sealbook.access.rate.InboundBounds;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.access.AccessRefusals.Port;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.MarketDataGrpc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for gRPC, with limits of connections and streams in total and per address. Services run on the network
 * threads, so none of their methods may wait.
 */
public final class EngineGrpcServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EngineGrpcServer.class);
    /** Requests are a few bytes; a larger one is refused before it is read. */
    private static final int REQUEST_BYTES_MAX = 64 << 10;

    private static final int HEADER_BYTES_MAX = 8 << 10;
    private static final int CALLS_PER_CONNECTION_MAX = 128;
    /** Calls that have no quota of their own, and those of one holder: as many as a connection may have. */
    private static final int OTHER_CALLS_MAX = 8 * CALLS_PER_CONNECTION_MAX;

    private static final long CLIENT_KEEP_ALIVE_SECONDS = 10;
    private static final long STOP_SECONDS = 2;

    private final AccessRefusals refusals;
    private final SocketPlaces sockets;
    private final HolderQuota connections;
    private final PortSecurity security;
    private final EventLoopGroup acceptLoop = openLoops(1, "grpc-accept");
    private final EventLoopGroup workLoops = openLoops(workLoopCount(), "grpc");
    private final Server server;

    /**
     * Makes a server that does not listen yet.
     *
     * @param settings its address, port and limits; port 0 takes a free one
     * @param tls what connections and callers must be
     * @param services called on the transport's threads; must not wait
     * @param refusals counts what the limits refuse
     */
    public EngineGrpcServer(
            EngineSettings settings, EngineTls tls, List<BindableService> services, AccessRefusals refusals) {
        EngineSettings.Grpc limits = settings.grpc();
        this.refusals = refusals;
        this.security = PortSecurity.of(tls.identity(), tls.terms(), EngineRules.ALL);
        this.sockets = security.places(limits.connectionsMax(), Descriptors.Port.ENGINE_GRPC);
        this.connections = new HolderQuota(sockets.connectionsMax(), limits.connectionsPerAddress());
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(settings.grpcAddress(), settings.grpcPort()), security.credentials())
                .bossEventLoopGroup(acceptLoop)
                .workerEventLoopGroup(workLoops)
                .channelFactory(this::listeningChannel)
                .directExecutor()
                .maxInboundMetadataSize(HEADER_BYTES_MAX)
                .maxConnectionIdle(limits.idleMs(), TimeUnit.MILLISECONDS)
                .keepAliveTime(limits.keepAliveMs(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(limits.keepAliveMs(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .permitKeepAliveTime(CLIENT_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        InboundBounds.set(builder, REQUEST_BYTES_MAX, CALLS_PER_CONNECTION_MAX, limits.rates());
        ReadLimit reads = readLimit(settings);
        CallRateLimit rates = security.rateLimit(
                limits.rates(), System::nanoTime, (remote, reason) -> refusals.rateRefused(Port.GRPC, remote, reason));
        services.forEach(service -> builder.addService(security.protect(service, rates, reads)));
        server = builder.build();
    }

    private ServerChannel listeningChannel() {
        NioServerSocketChannel channel = new NioServerSocketChannel();
        channel.pipeline()
                .addLast(security.limit(
                        connections,
                        sockets,
                        (remote, reason) -> refusals.connectionRefused(Port.GRPC, remote, reason)));
        security.watch(channel);
        return channel;
    }

    private ReadLimit readLimit(EngineSettings settings) {
        HolderQuota reports = new HolderQuota(
                settings.reports().followersMax(), settings.reports().followersPerAddress());
        HolderQuota marketData = new HolderQuota(
                settings.marketData().subscribersMax(), settings.marketData().subscribersPerAddress());
        return new ReadLimit(
                Map.of(
                        ExecutionReportsGrpc.getFollowMethod(), reports,
                        ExecutionReportsGrpc.getFollowByBlockMethod(), reports,
                        BrokerQueriesGrpc.getTraceOrderMethod(), reports,
                        BrokerQueriesGrpc.getGetOpenOrdersMethod(), reports,
                        BrokerQueriesGrpc.getGetPositionsMethod(), reports,
                        MarketDataGrpc.getFollowBestPricesMethod(), marketData,
                        MarketDataGrpc.getFollowDepthMethod(), marketData,
                        MarketDataGrpc.getFollowTradesMethod(), marketData),
                new HolderQuota(OTHER_CALLS_MAX, CALLS_PER_CONNECTION_MAX),
                (remote, reason) -> refusals.readRefused(Port.GRPC, remote, reason));
    }

    /** Half of the cores: a loop that is busier takes more at once, and a block wakes fewer of them. */
    private static int workLoopCount() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /** Opens daemon threads, of which each sleeps in a selector. */
    private static EventLoopGroup openLoops(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    /**
     * Listens.
     *
     * @throws UncheckedIOException if the port cannot be bound; the server is closed then
     */
    public void start() {
        try {
            server.start();
            security.tlsProvider().ifPresent(provider -> log.info("gRPC: TLS of {}", provider));
        } catch (IOException e) {
            endLoops();
            throw new UncheckedIOException("gRPC: cannot listen: " + e.getMessage(), e);
        }
    }

    /** Returns the port it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Returns the number of open connections. */
    public int connectionCount() {
        return connections.count();
    }

    /** Ends every stream and stops listening. */
    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        endLoops();
    }

    private void endLoops() {
        acceptLoop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
        workLoops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS);
    }
}
