package io.sealbook.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that answers faster than the client's loop takes answers. */
@Timeout(300)
class BatchStreamTest {
    private static final int NODE_ID = 3;
    private static final long CHAIN_ID = 42;
    private static final int WINDOW = 1_024;
    private static final int REPLIES = 3 * WINDOW + 1;
    private static final long AWAIT_LIMIT_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int ROUND_TRIPS = 5;

    private final AtomicInteger delivered = new AtomicInteger();
    private final CountDownLatch writable = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Queue<Long> handled = new ConcurrentLinkedQueue<>();
    private final Queue<Object> lost = new ConcurrentLinkedQueue<>();
    private final ClientLoop loop = new ClientLoop("client-loop", lost::add);
    private Server server;
    private ManagedChannel channel;
    private GatewayLink link;

    @BeforeEach
    void start() throws Exception {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new HastyGateway())
                .build()
                .start();
        LinkConfig config = new LinkConfig(
                CHAIN_ID,
                1,
                (nodeId, role, host, port) -> channel = NettyChannelBuilder.forAddress(host, port)
                        .usePlaintext()
                        .intercept(new DeliveryCounter())
                        .build(),
                new RoleCredentials(
                        new RoleHolder(CHAIN_ID, Role.BROKER, 1, 1, Signers.generate(SignatureScheme.SM2_SM3))),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(200),
                TimeUnit.SECONDS.toNanos(30),
                AWAIT_LIMIT_NS);
        NodeAddress address = new NodeAddress(NODE_ID, ConnectionReport.Role.GATEWAY, "127.0.0.1", server.getPort());
        link = new GatewayLink(address, config, loop, new RecordingEvents(), new ClientCounters());
        loop.start();
        loop.execute(link::start);
        assertThat(writable.await(AWAIT_LIMIT_NS, TimeUnit.NANOSECONDS)).isTrue();
    }

    @AfterEach
    void stop() throws InterruptedException {
        gate.countDown();
        loop.execute(link::close);
        link.awaitTermination(AWAIT_LIMIT_NS);
        loop.stop();
        server.shutdownNow().awaitTermination();
    }

    @Test
    void shouldTakeNoMoreRepliesThanTheWindowUntilTheLoopHandlesThem() throws Exception {
        loop.execute(() -> {
            link.isWritable(); // Opens the stream.
            link.send(1, new byte[10]);
            loop.execute(this::holdLoop); // Behind the task that sends.
        });
        Facts.await("a window of answers", () -> delivered.get() >= WINDOW);
        // What the node has sent before it answers on the same connection has come, unless it is held back.
        for (int i = 0; i < ROUND_TRIPS; i++) {
            OrderGatewayGrpc.newBlockingStub(channel).getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
        }
        assertThat(delivered).hasValue(WINDOW);
        assertThat(handled).isEmpty();

        gate.countDown();

        Facts.await("all answers handled", () -> handled.size() == REPLIES);
        assertThat(handled)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, REPLIES).boxed().toList());
        assertThat(lost).isEmpty();
    }

    private void holdLoop() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers the first message with more replies than the client has asked for, each in a message of its own. */
    private static final class HastyGateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> answer) {
            answer.onNext(NodeStatus.newBuilder()
                    .setNodeId(NODE_ID)
                    .setChainId(CHAIN_ID)
                    .setState("NORMAL")
                    .build());
            answer.onCompleted();
        }

        @Override
        public StreamObserver<SubmitRequests> submit(StreamObserver<SubmitReplies> replies) {
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitRequests message) {
                    for (long id = 1; id <= REPLIES; id++) {
                        replies.onNext(SubmitReplies.newBuilder()
                                .addReplies(SubmitReply.newBuilder().setCorrelationId(id))
                                .build());
                    }
                }

                @Override
                public void onError(Throwable cause) {
                    // The client closes at the end of the test.
                }

                @Override
                public void onCompleted() {
                    replies.onCompleted();
                }
            };
        }
    }

    /** Counts the replies that gRPC hands to the client. */
    private final class DeliveryCounter implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            ClientCall<Q, A> call = next.newCall(method, options);
            if (method.getType() == MethodDescriptor.MethodType.UNARY) {
                return call;
            }
            return new SimpleForwardingClientCall<>(call) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onMessage(A message) {
                                    delivered.incrementAndGet();
                                    super.onMessage(message);
                                }
                            },
                            headers);
                }
            };
        }
    }

    private final class RecordingEvents implements GatewayEvents {
        @Override
        public void onStatus(GatewayLink from, NodeStatus status) {
            // What follows is told by onWritable.
        }

        @Override
        public void onLogon(GatewayLink link, LogonReply reply) {
            // Nobody asks.
        }

        @Override
        public void onLogonFailed(GatewayLink from, String why) {
            // Nobody asks.
        }

        @Override
        public void onReply(GatewayLink from, SubmitReply reply) {
            handled.add(reply.getCorrelationId());
        }

        @Override
        public void onReceipts(GatewayLink from, BlockReceipts receipts) {
            throw new AssertionError("no receipts were asked for");
        }

        @Override
        public void onWritable(GatewayLink from) {
            writable.countDown();
        }

        @Override
        public void onSubmitLost(GatewayLink from, String why) {
            lost.add(why);
        }

        @Override
        public long receiptsFrom(GatewayLink from) {
            return 0;
        }
    }
}
