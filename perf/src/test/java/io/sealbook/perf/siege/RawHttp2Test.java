package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.rate.InboundBounds;
import io.sealbook.access.rate.Rates;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against servers of gRPC in clear. */
@Timeout(300)
class RawHttp2Test {
    private static final int CALLS_MAX = 4;
    private static final int LET_IN = 3;
    private static final MethodDescriptor<byte[], byte[]> STATUS = OrderGatewayGrpc.getGetNodeStatusMethod().toBuilder(
                    DoorAttacks.BYTES, DoorAttacks.BYTES)
            .build();

    private Server server;

    @AfterEach
    void stop() {
        server.shutdownNow();
    }

    @Test
    void shouldSeeThatAServerEndsAConnectionWhichCancelsItsCalls() throws Exception {
        start(InboundBounds.set(builder(), 1_000, CALLS_MAX, new Rates(8, 1_000_000)));

        try (RawHttp2 connection = open(1_000)) {
            assertThat(ReaderAttacks.isClosedByResets(connection)).isTrue();
        }
    }

    @Test
    void shouldSeeThatAServerTakesAllCancelledCalls() throws Exception {
        start(builder());

        try (RawHttp2 connection = open(1_000)) {
            assertThat(ReaderAttacks.isClosedByResets(connection)).isFalse();
        }
    }

    @Test
    void shouldCountCallsByTheMessageOfTheirStatus() throws Exception {
        start(builder());
        try (RawHttp2 connection = open(0)) {
            for (int i = 0; i < 2 * LET_IN; i++) {
                connection.ask(connection.call(STATUS));
            }

            Await.fact("the end of refused calls", () -> {
                connection.sync();
                return connection.ended() == LET_IN;
            });

            assertThat(connection.ended(" such calls ")).isEqualTo(LET_IN);
            assertThat(connection.ended(" per second")).isZero();
        }
    }

    private static NettyServerBuilder builder() {
        AtomicInteger calls = new AtomicInteger();
        return NettyServerBuilder.forAddress(new InetSocketAddress(Besieged.HOST, 0))
                .directExecutor()
                .permitKeepAliveTime(1, TimeUnit.NANOSECONDS)
                .addService(ServerServiceDefinition.builder(OrderGatewayGrpc.SERVICE_NAME)
                        .addMethod(
                                STATUS,
                                ServerCalls.asyncUnaryCall((byte[] request, StreamObserver<byte[]> answer) ->
                                        answer(calls.incrementAndGet(), answer)))
                        .build());
    }

    /** Lets the first calls in, whose answers wait for a window. */
    private static void answer(int call, StreamObserver<byte[]> answer) {
        if (call > LET_IN) {
            answer.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("broker 2 has 3 such calls open, the most that one may have")
                    .asRuntimeException());
        } else {
            answer.onNext(new byte[] {1});
            answer.onCompleted();
        }
    }

    private void start(NettyServerBuilder builder) throws IOException {
        server = builder.build().start();
    }

    private RawHttp2 open(int window) throws IOException {
        return RawHttp2.over(new Socket(Besieged.HOST, server.getPort()), Optional.empty(), window);
    }
}
