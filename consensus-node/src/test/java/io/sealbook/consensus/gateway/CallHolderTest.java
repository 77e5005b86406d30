package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Attributes;
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
import io.sealbook.access.ReadLimit;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who counts as the reader of a stream. */
@Timeout(300)
class CallHolderTest {
    private static final Caller BROKER = new Caller(Role.BROKER, 7);

    private final List<Object> holders = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldCountTheCallerOnAllItsConnections() throws Exception {
        assertThat(holdersOf(new KnownCaller())).containsExactly(BROKER, BROKER);
    }

    @Test
    void shouldCountAddressesWithoutTls() throws Exception {
        assertThat(holdersOf()).containsExactly(InetAddress.getByName("127.0.0.1"), InetAddress.getByName("127.0.0.2"));
    }

    /** Returns the holders of a stream from each of two addresses. */
    private List<Object> holdersOf(ServerInterceptor... outer) throws IOException {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(ServerInterceptors.intercept(
                        ServerInterceptors.intercept(new Noting(), new CallHolder()), outer))
                .build()
                .start();
        try {
            follow(server.getPort(), "127.0.0.1");
            follow(server.getPort(), "127.0.0.2");
        } finally {
            server.shutdownNow();
        }
        return holders;
    }

    private static void follow(int port, String from) {
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
            OrderGatewayGrpc.newBlockingStub(channel)
                    .followReceipts(FollowReceiptsRequest.getDefaultInstance())
                    .forEachRemaining(receipts -> {});
        } finally {
            channel.shutdownNow();
        }
    }

    private final class Noting extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void followReceipts(FollowReceiptsRequest request, StreamObserver<BlockReceipts> receipts) {
            holders.add(CallHolder.ofStream());
            receipts.onCompleted();
        }
    }

    /** As the gate of roles does it: the caller is there while the call begins, not when its request comes. */
    private static final class KnownCaller implements ServerInterceptor {
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
