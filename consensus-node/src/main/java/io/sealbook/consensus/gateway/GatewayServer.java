package io.sealbook.consensus.gateway;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.sealbook.consensus.loop.EventLoops;
import io.sealbook.protocol.SignedBatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The gateway's gRPC server. Calls run on its event loops, because none of them waits. */
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

    private final EventLoopGroup acceptLoop = EventLoops.open(1, "gateway-accept");
    /** Half of the cores, because what a loop does is followed by as much work elsewhere; a loop that is busier takes more at once. */
    private final EventLoopGroup loops =
            EventLoops.open(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), "gateway");

    private final Server server;

    public GatewayServer(InetSocketAddress address, GatewayContext context, Followers followers, Executor service) {
        this.server = NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(acceptLoop)
                .workerEventLoopGroup(loops)
                .channelType(EventLoops.serverChannelType())
                .directExecutor()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .maxInboundMetadataSize(METADATA_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(new OrderGatewayService(context, followers, service))
                .build();
    }

    public void start() throws IOException {
        server.start();
    }

    public int port() {
        return server.getPort();
    }

    @Override
    public void close() {
        server.shutdown();
        try {
            if (!server.awaitTermination(CLOSE_WAIT_MS, TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        for (EventLoopGroup group : List.of(acceptLoop, loops)) {
            group.shutdownGracefully(LOOP_QUIET_MS, LOOP_CLOSE_MS_MAX, TimeUnit.MILLISECONDS);
        }
    }
}
