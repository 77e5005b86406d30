package io.sealbook.consensus.gateway;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.sealbook.peer.loop.EventLoops;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The gateway's gRPC server. Calls run on its event loops, because none of them waits.
 *
 * <p>It holds threads and descriptors from a successful {@link #start} until {@link #close}. Any thread; the lock orders a start and the
 * close of a process that ends meanwhile.
 */
public final class GatewayServer implements AutoCloseable {
    /** A request beyond it ends its stream; a batch within it is refused with a reason. */
    private static final int MESSAGE_BYTES_MAX =
            (SubmitStream.REQUESTS_PER_MESSAGE_MAX + 1) * SignedBatch.signedLength(SignedBatch.ORDER_COUNT_LIMIT);

    private static final int METADATA_BYTES_MAX = 8_192;
    private static final int CALLS_PER_CONNECTION_MAX = 64;
    private static final long CLOSE_WAIT_MS = 500;

    /** So long nobody has given the loops anything before they end: streams are still answered while the node closes. */
    private static final long LOOP_QUIET_MS = 1_000;

    private static final long LOOP_CLOSE_MS_MAX = 5_000;

    private final InetSocketAddress address;
    private final OrderGatewayService service;
    private final List<EventLoopGroup> loops = new ArrayList<>();
    private Server server;
    private boolean isClosed;

    /** Opens nothing yet. */
    public GatewayServer(InetSocketAddress address, GatewayContext context, Followers followers, Executor service) {
        this.address = address;
        this.service = new OrderGatewayService(context, followers, service);
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
        } finally {
            if (server == null) {
                endLoops(0);
            }
        }
    }

    private Server open() {
        EventLoopGroup acceptLoop = openLoops(1, "gateway-accept");
        // Half of the cores, because what a loop does is followed by as much work elsewhere; a loop that is busier
        // takes more at once.
        EventLoopGroup workLoops = openLoops(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), "gateway");
        return NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(acceptLoop)
                .workerEventLoopGroup(workLoops)
                .channelType(EventLoops.serverChannelType())
                .directExecutor()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(service)
                .build();
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
