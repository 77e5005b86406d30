package io.sealbook.consensus.gateway;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.sealbook.access.Descriptors;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.SocketPlaces;
import io.sealbook.access.rate.CallRateLimit;
import io.sealbook.access.rate.InboundBounds;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.consensus.config.GatewayConfig;
import io.sealbook.peer.loop.EventLoops;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's gRPC server. Calls run on its event loops, because none of them waits.
 *
 * <p>It holds threads and descriptors from a successful {@link #start} until {@link #close}. Any thread; the lock
 * orders a start and the close of a process that ends meanwhile.
 */
public final class GatewayServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GatewayServer.class);
    /** A request beyond it ends its stream; a batch within it is refused with a reason. */
    private static final int MESSAGE_BYTES_MAX =
            (SubmitStream.REQUESTS_PER_MESSAGE_MAX + 1) * SignedBatch.signedLength(SignedBatch.ORDER_COUNT_LIMIT);

    private static final int METADATA_BYTES_MAX = 8_192;
    private static final int CALLS_PER_CONNECTION_MAX = 64;
    /** Calls that have no quota of their own. Their answers, of 100 KB and more, wait in memory until they are read. */
    private static final int OTHER_CALLS_MAX = 512;

    private static final int OTHER_CALLS_PER_HOLDER = 16;

    private static final long CLOSE_WAIT_MS = 500;

    /** Idle time of the loops before they end: streams are still answered while the node closes. */
    private static final long LOOP_QUIET_MS = 1_000;

    private static final long LOOP_CLOSE_MS_MAX = 5_000;

    private final InetSocketAddress address;
    private final PortSecurity security;
    private final GatewayConfig limits;
    private final GatewayRefusals refusals;
    private final List<LimitedService> services;
    /**
     * Without a byte, until a client is asked for a sign of life, and until it is given up then: one whose machine has
     * lost its power would hold the places of its calls for hours.
     */
    private static final int KEEP_ALIVE_S = 30;

    private final Optional<EventLoopGroup> sharedLoop;
    private final SocketPlaces sockets;
    private final HolderQuota connections;
    /** One stream of orders per connection is enough: each has batches in flight of its own. */
    private final HolderQuota submissions;

    private final HolderQuota reads;
    private final HolderQuota others = new HolderQuota(OTHER_CALLS_MAX, OTHER_CALLS_PER_HOLDER);
    private final List<EventLoopGroup> loops = new ArrayList<>();
    private Server server;
    private boolean isClosed;

    /**
     * Opens nothing yet; will have event loops of its own.
     *
     * @param address to listen on; port 0 lets the system choose
     * @param security what connections and callers must be
     * @param limits how much those who connect can hold
     * @param refusals is notified of what is refused
     * @param services what is served
     */
    public GatewayServer(
            InetSocketAddress address,
            PortSecurity security,
            GatewayConfig limits,
            GatewayRefusals refusals,
            List<LimitedService> services) {
        this(address, security, limits, refusals, services, Optional.empty());
    }

    /**
     * Opens nothing yet.
     *
     * @param address to listen on; port 0 lets the system choose
     * @param security what connections and callers must be
     * @param limits how much those who connect can hold
     * @param refusals is notified of what is refused
     * @param services what is served
     * @param sharedLoop serves all connections and stays the caller's; without it the gateway has loops of its own
     */
    public GatewayServer(
            InetSocketAddress address,
            PortSecurity security,
            GatewayConfig limits,
            GatewayRefusals refusals,
            List<LimitedService> services,
            Optional<EventLoopGroup> sharedLoop) {
        this.address = address;
        this.security = security;
        this.limits = limits;
        this.refusals = refusals;
        this.services = List.copyOf(services);
        this.sharedLoop = sharedLoop;
        this.sockets = security.places(limits.connectionsMax(), Descriptors.Port.GATEWAY);
        int connectionsMax = sockets.connectionsMax();
        int perHolderMax = Math.min(limits.connectionsPerAddress(), connectionsMax);
        this.connections = new HolderQuota(connectionsMax, perHolderMax);
        this.submissions = new HolderQuota(connectionsMax, perHolderMax);
        this.reads = new HolderQuota(limits.readsMax(), limits.readsPerAddress());
    }

    /**
     * Opens the event loops and binds the port.
     *
     * @throws IOException if the port cannot be bound; nothing runs then, and it may be tried again
     * @throws IllegalStateException if it runs or was closed
     */
    public synchronized void start() throws IOException {
        if (isClosed || server != null) {
            throw new IllegalStateException(isClosed ? "gateway was closed" : "gateway runs already");
        }
        try {
            server = open().start();
            security.tlsProvider().ifPresent(provider -> log.info("gateway: TLS of {}", provider));
        } finally {
            if (server == null) {
                endLoops(0);
            }
        }
    }

    private Server open() {
        EventLoopGroup acceptLoop = sharedLoop.orElseGet(() -> openLoops(1, "gateway-accept"));
        EventLoopGroup workLoops = sharedLoop.orElseGet(() -> openLoops(workLoopCount(), "gateway"));
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address, security.credentials())
                .bossEventLoopGroup(acceptLoop)
                .workerEventLoopGroup(workLoops)
                .channelFactory(this::listeningChannel)
                .directExecutor()
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConnectionIdle(limits.idleMs(), TimeUnit.MILLISECONDS)
                .keepAliveTime(KEEP_ALIVE_S, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEP_ALIVE_S, TimeUnit.SECONDS)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        InboundBounds.set(builder, MESSAGE_BYTES_MAX, CALLS_PER_CONNECTION_MAX, limits.rates());
        CallRateLimit rates = security.rateLimit(limits.rates(), System::nanoTime, refusals::rate);
        for (LimitedService served : services) {
            builder.addService(security.protect(served.service(), rates, readLimit(served)));
        }
        return builder.build();
    }

    /**
     * Half of the cores, because what a loop does is followed by as much work elsewhere; a loop that is busier takes
     * more at once.
     */
    private static int workLoopCount() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    private ServerChannel listeningChannel() {
        ServerChannel channel = EventLoops.serverChannel();
        channel.pipeline().addLast(security.limit(connections, sockets, refusals::connection));
        security.watch(channel);
        return channel;
    }

    private ReadLimit readLimit(LimitedService served) {
        Map<MethodDescriptor<?, ?>, HolderQuota> quotas = new HashMap<>(served.quotas());
        served.reads().forEach(method -> quotas.put(method, reads));
        served.submissions().forEach(method -> quotas.put(method, submissions));
        return new ReadLimit(quotas, others, refusals::read);
    }

    private EventLoopGroup openLoops(int threads, String name) {
        EventLoopGroup group = EventLoops.open(threads, name);
        loops.add(group);
        return group;
    }

    private void endLoops(long quietMs) {
        for (EventLoopGroup group : loops) {
            group.shutdownGracefully(quietMs, LOOP_CLOSE_MS_MAX, TimeUnit.MILLISECONDS);
        }
        loops.clear();
    }

    /**
     * Returns the port that is listened on.
     *
     * @throws IllegalStateException if it does not run
     */
    public synchronized int port() {
        if (server == null) {
            throw new IllegalStateException("gateway does not run");
        }
        return server.getPort();
    }

    /** Returns how many connections are open. */
    public int connectionCount() {
        return connections.count();
    }

    /** Returns how many streams of receipts and blocks are open. */
    public int readCount() {
        return reads.count();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (server == null) {
            return;
        }
        server.shutdown();
        try {
            if (!server.awaitTermination(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        server = null;
        endLoops(LOOP_QUIET_MS);
    }
}
