package io.sealbook.engine.rpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Listens for gRPC. Services run on the network threads, so none of their methods may wait. */
public final class EngineGrpcServer implements AutoCloseable {
    /** Requests are a few bytes; whoever sends more is refused before it is read. */
    private static final int REQUEST_BYTES_MAX = 64 << 10;

    private static final int HEADER_BYTES_MAX = 8 << 10;
    private static final int CALLS_PER_CONNECTION_MAX = 128;
    private static final long KEEP_ALIVE_SECONDS = 30;
    private static final long STOP_SECONDS = 2;

    private final Server server;

    /**
     * Makes a server that does not listen yet.
     *
     * @param address to listen on
     * @param port 0 takes a free one
     * @param services called on the transport's threads; must not wait
     */
    public EngineGrpcServer(String address, int port, List<BindableService> services) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(address, port))
                .directExecutor()
                .maxInboundMessageSize(REQUEST_BYTES_MAX)
                .maxInboundMetadataSize(HEADER_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .permitKeepAliveTime(KEEP_ALIVE_SECONDS / 3, TimeUnit.SECONDS);
        services.forEach(builder::addService);
        server = builder.build();
    }

    public void start() {
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("gRPC: cannot listen: " + e.getMessage(), e);
        }
    }

    /** Returns the port it listens on. */
    public int port() {
        return server.getPort();
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
    }
}
