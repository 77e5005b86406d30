package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who makes a call, as its method knows it. */
@Timeout(300)
class ReadLimitTest {
    private static final Caller BROKER = new Caller(Role.BROKER, 7);

    private final List<Object> holders = new CopyOnWriteArrayList<>();

    @Test
    void shouldNameTheCallerOnAllItsConnections() throws Exception {
        assertThat(holdersOf(new ProvenCaller())).containsExactly(BROKER, BROKER);
    }

    /** Its messages come later, and each would pay for a context. */
    @Test
    void shouldNameTheCallerWhenAStreamOfRequestsBegins() throws Exception {
        Server server = start(new NotingStreams(), new ProvenCaller());
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
        try {
            CompletableFuture<Void> end = new CompletableFuture<>();
            StreamObserver<SubmitRequests> requests = OrderGatewayGrpc.newStub(channel)
                    .submit(new StreamObserver<>() {
                        @Override
                        public void onNext(SubmitReplies replies) {
                            end.completeExceptionally(new AssertionError("none is sent"));
                        }

                        @Override
                        public void onError(Throwable reason) {
                            end.completeExceptionally(reason);
                        }

                        @Override
                        public void onCompleted() {
                            end.complete(null);
                        }
                    });
            requests.onNext(SubmitRequests.getDefaultInstance());
            requests.onCompleted();
            end.get();
        } finally {
            channel.shutdownNow();
            server.shutdownNow();
        }

        assertThat(holders).containsExactly(BROKER);
    }

    @Test
    void shouldNameAddressesWithoutTls() throws Exception {
        assertThat(holdersOf()).containsExactly(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2"));
    }

    /** Returns the holders of a call from each of two addresses. */
    private List<Object> holdersOf(ServerInterceptor... outer) throws IOException {
        Server server = start(new Noting(), outer);
        try {
            call(server.getPort(), "127.0.0.1");
            call(server.getPort(), "127.0.0.2");
        } finally {
            server.shutdownNow();
        }
        return holders;
    }

    private static Server start(BindableService service, ServerInterceptor... outer) throws IOException {
        ReadLimit limit = new ReadLimit(Map.of(), new HolderQuota(8, 8), (remote, reason) -> {});
        return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(ServerInterceptors.intercept(ServerInterceptors.intercept(service, limit), outer))
                .build()
                .start();
    }

    private static void call(int port, String from) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(from, 0);
                    }
                })
                .build();
        try {
            MarketDataGrpc.newBlockingStub(channel)
                    .followDepth(MarketDataRequest.getDefaultInstance())
                    .forEachRemaining(depth -> {});
        } finally {
            channel.shutdownNow();
        }
    }

    private final class Noting extends MarketDataGrpc.MarketDataImplBase {
        @Override
        public void followDepth(MarketDataRequest request, StreamObserver<Depth> answer) {
            holders.add(ReadLimit.HOLDER.get());
            answer.onCompleted();
        }
    }

    private final class NotingStreams extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public StreamObserver<SubmitRequests> submit(StreamObserver<SubmitReplies> answer) {
            holders.add(ReadLimit.HOLDER.get());
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitRequests requests) {
                    // Only the beginning matters.
                }

                @Override
                public void onError(Throwable reason) {
                    holders.add(reason);
                }

                @Override
                public void onCompleted() {
                    answer.onCompleted();
                }
            };
        }
    }

    /** As the gate of roles does it: the caller is known while the call begins, not when its request comes. */
    private static final class ProvenCaller implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            Context context = Context.current().withValue(ReadLimit.CALLER, BROKER);
            Context before = context.attach();
            try {
                return next.startCall(call, headers);
            } finally {
                context.detach(before);
            }
        }
    }
}
