package io.sealbook.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another machine becomes the node while answers of the former one are on their way. */
@Timeout(300)
class FormerMachineTest {
    private static final int NODE_ID = 3;
    private static final long CHAIN_ID = 42;
    private static final long END_MS = 60_000;

    private final Queue<Object> heard = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> broken = new ConcurrentLinkedQueue<>();
    private final ClientLoop loop = new ClientLoop("client-loop", broken::add);
    /** Answers of questions, not of probes, that have been handed to the loop. */
    private final Semaphore handed = new Semaphore(0);

    private Server server;
    private GatewayLink link;

    @BeforeEach
    void start() throws Exception {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new Gateway())
                .build()
                .start();
        LinkConfig config = new LinkConfig(
                CHAIN_ID,
                1,
                (nodeId, role, host, port) -> NettyChannelBuilder.forAddress(host, port)
                        .usePlaintext()
                        .intercept(new AnswerWatch())
                        .build(),
                new RoleCredentials(
                        new RoleHolder(CHAIN_ID, Role.BROKER, 1, 1, Signers.generate(SignatureScheme.SM2_SM3))),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(200),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(END_MS));
        link = new GatewayLink(address(), config, loop, new Gathering(), new ClientCounters());
        link.followMembership(new GatheringMembership());
        loop.start();
        loop.execute(link::start);
        Facts.await("the link is up", () -> heard.contains("status"));
    }

    private NodeAddress address() {
        return new NodeAddress(NODE_ID, ConnectionReport.Role.GATEWAY, "127.0.0.1", server.getPort());
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.execute(link::close);
        link.awaitTermination(TimeUnit.MILLISECONDS.toNanos(END_MS));
        loop.stop();
        server.shutdownNow().awaitTermination();
        assertThat(broken).isEmpty();
    }

    @Test
    void shouldTakeNoAnswerOfTheMachineThatWasTheNode() throws Exception {
        ask(() -> {});
        assertThat(heard).contains("view", "logon");
        heard.clear();

        // At the same address, too.
        ask(() -> link.replaceAt(address()));

        assertThat(heard).doesNotContain("view", "logon", "failure");
        Facts.await("the new machine is probed", () -> heard.contains("status"));
    }

    /** Asks, and does something when the answers wait for the loop; returns when they were taken, or not. */
    private void ask(Runnable meanwhile) throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        loop.execute(() -> {
            link.askMembership();
            link.logon();
            handed.acquireUninterruptibly(2);
            meanwhile.run();
            loop.execute(() -> asked.complete(null));
        });
        asked.get(END_MS, TimeUnit.MILLISECONDS);
    }

    private final class AnswerWatch implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            boolean isQuestion = !method.equals(OrderGatewayGrpc.getGetNodeStatusMethod());
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<B> listener, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    super.onClose(status, trailers);
                                    if (isQuestion) {
                                        handed.release();
                                    }
                                }
                            },
                            headers);
                }
            };
        }
    }

    private static final class Gateway extends OrderGatewayGrpc.OrderGatewayImplBase {
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
        public void getMembership(GetMembershipRequest request, StreamObserver<MembershipView> answer) {
            answer.onNext(MembershipView.newBuilder().setNodeId(NODE_ID).build());
            answer.onCompleted();
        }

        @Override
        public void logon(LogonRequest request, StreamObserver<LogonReply> answer) {
            answer.onNext(LogonReply.newBuilder()
                    .setNodeId(NODE_ID)
                    .setChainId(CHAIN_ID)
                    .build());
            answer.onCompleted();
        }
    }

    private final class GatheringMembership implements MembershipEvents {
        @Override
        public void onNumber(GatewayLink from, long number) {
            // Of a probe.
        }

        @Override
        public void onView(GatewayLink from, MembershipView view) {
            heard.add("view");
        }

        @Override
        public void onEndpointSerials(GatewayLink from, long serials) {
            // Of a probe.
        }

        @Override
        public void onEndpoints(GatewayLink from, long serials, List<EndpointRecord> records) {
            heard.add("endpoints");
        }
    }

    private final class Gathering implements GatewayEvents {
        @Override
        public void onStatus(GatewayLink from, NodeStatus status) {
            heard.add("status");
        }

        @Override
        public void onLogon(GatewayLink from, LogonReply reply) {
            heard.add("logon");
        }

        @Override
        public void onLogonFailed(GatewayLink from, String why) {
            heard.add("failure");
        }

        @Override
        public void onReply(GatewayLink from, SubmitReply reply) {
            throw new AssertionError("no batch was sent");
        }

        @Override
        public void onReceipts(GatewayLink from, BlockReceipts receipts) {
            throw new AssertionError("no receipts were asked for");
        }

        @Override
        public void onWritable(GatewayLink from) {
            // Nothing is sent.
        }

        @Override
        public void onSubmitLost(GatewayLink from, String why) {
            throw new AssertionError("no batch was sent");
        }

        @Override
        public long receiptsFrom(GatewayLink from) {
            return 0;
        }
    }
}
