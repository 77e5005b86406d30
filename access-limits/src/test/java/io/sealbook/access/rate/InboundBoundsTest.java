package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that begins calls and cancels each at once. */
@Timeout(300)
class InboundBoundsTest {
    private static final int CALLS_MAX = 8;
    private static final Rates RATES = new Rates(4, 1_000);
    /** Of one second: open calls, two seconds' worth of calls that come at once, and one second's worth. */
    private static final int CANCELS_MAX = 8 + 2 * 4 + 4;

    private Server server;

    @BeforeEach
    void start() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test")
                .addMethod(
                        MethodDescriptor.<byte[], byte[]>newBuilder(new Empty(), new Empty())
                                .setFullMethodName("test/one")
                                .setType(MethodDescriptor.MethodType.UNARY)
                                .build(),
                        ServerCalls.asyncUnaryCall((byte[] request, StreamObserver<byte[]> answer) -> {
                            throw new AssertionError("no request is whole");
                        }))
                .build();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(service);
        server = InboundBounds.set(builder, 1_000, CALLS_MAX, RATES).build().start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void shouldLetAClientCancelAllCallsThatItMayHave() throws IOException {
        assertThat(InboundBounds.cancelsMax(CALLS_MAX, RATES)).isEqualTo(CANCELS_MAX);
        try (Http2Client client = client()) {
            client.callAndCancel(1, CANCELS_MAX, "one");

            client.ping();
        }
    }

    @Test
    void shouldCloseAConnectionThatCancelsMore() throws IOException {
        try (Http2Client client = client()) {
            assertThatIOException().isThrownBy(() -> {
                for (int stream = 1; stream < 10_000; stream += 4 * CANCELS_MAX) {
                    client.callAndCancel(stream, 2 * CANCELS_MAX, "one");
                    client.ping();
                }
            });
        }
        try (Http2Client other = client()) {
            other.ping();
        }
    }

    private Http2Client client() throws IOException {
        return new Http2Client(new Socket("127.0.0.1", server.getPort()));
    }

    private static final class Empty implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            return new byte[0];
        }
    }
}
