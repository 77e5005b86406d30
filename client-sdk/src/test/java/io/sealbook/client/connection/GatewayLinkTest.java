package io.sealbook.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that answers the first look at it, and no further one. */
@Timeout(300)
class GatewayLinkTest {
    private static final int NODE_ID = 3;
    private static final long CHAIN_ID = 42;
    /** Longer than a full machine holds up a round trip. */
    private static final long PROBE_TIMEOUT_MS = 4_000;

    private static final long END_MS = 60_000;

    private final AtomicInteger probes = new AtomicInteger();
    private final AtomicInteger replies = new AtomicInteger();
    private final Queue<Object> lost = new ConcurrentLinkedQueue<>();
    private final ClientLoop loop = new ClientLoop("client-loop", lost::add);
    private volatile boolean isSilent;
    private Server server;
    private GatewayLink link;

    @BeforeEach
    void start() throws Exception {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new ForgetfulGateway())
                .build()
                .start();
        LinkConfig config = new LinkConfig(
                CHAIN_ID,
                1,
                (nodeId, role, host, port) -> NettyChannelBuilder.forAddress(host, port)
                        .usePlaintext()
                        .build(),
                new RoleCredentials(
                        new RoleHolder(CHAIN_ID, Role.BROKER, 1, 1, Signers.generate(SignatureScheme.SM2_SM3))),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(200),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(PROBE_TIMEOUT_MS));
        NodeAddress address = new NodeAddress(NODE_ID, ConnectionReport.Role.GATEWAY, "127.0.0.1", server.getPort());
        link = new GatewayLink(address, config, loop, new SendsAgain(), new ClientCounters());
        loop.start();
        loop.execute(link::start);
        Facts.await("round trips", () -> replies.get() > 0);
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.execute(link::close);
        link.awaitTermination(TimeUnit.MILLISECONDS.toNanos(END_MS));
        loop.stop();
        server.shutdownNow().awaitTermination();
    }

    @Test
    void shouldKeepStreamsThatDeliverThoughTheNodeDoesNotAnswerProbes() throws Exception {
        Facts.await("a probe has failed", () -> probes.get() >= 3);

        assertThat(lost).isEmpty();
        int before = replies.get();
        Facts.await("the stream goes on", () -> replies.get() > before);
    }

    @Test
    void shouldGiveUpANodeThatIsSilentOnItsStreamsToo() throws Exception {
        isSilent = true;

        Facts.await("its stream is given up", () -> !lost.isEmpty());
    }

    private final class ForgetfulGateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> answer) {
            if (probes.incrementAndGet() == 1) {
                answer.onNext(NodeStatus.newBuilder()
                        .setNodeId(NODE_ID)
                        .setChainId(CHAIN_ID)
                        .setState("NORMAL")
                        .build());
                answer.onCompleted();
            }
        }

        @Override
        public StreamObserver<SubmitRequests> submit(StreamObserver<SubmitReplies> answers) {
            return new StreamObserver<>() {
                @Override
                public void onNext(SubmitRequests message) {
                    if (!isSilent) {
                        answers.onNext(SubmitReplies.newBuilder()
                                .addReplies(SubmitReply.newBuilder().setCorrelationId(1))
                                .build());
                    }
                }

                @Override
                public void onError(Throwable cause) {
                    // The client gives the stream up.
                }

                @Override
                public void onCompleted() {
                    answers.onCompleted();
                }
            };
        }
    }

    /** Sends a batch when it may, and one for each reply. */
    private final class SendsAgain implements GatewayEvents {
        private void send() {
            if (link.isWritable()) {
                link.send(1, new byte[10]);
            }
        }

        @Override
        public void onStatus(GatewayLink from, NodeStatus status) {
            // What follows is told by onWritable.
        }

        @Override
        public void onLogon(GatewayLink from, LogonReply reply) {
            // Nobody asks.
        }

        @Override
        public void onLogonFailed(GatewayLink from, String why) {
            // Nobody asks.
        }

        @Override
        public void onReply(GatewayLink from, SubmitReply reply) {
            replies.incrementAndGet();
            send();
        }

        @Override
        public void onReceipts(GatewayLink from, BlockReceipts receipts) {
            throw new AssertionError("no receipts were asked for");
        }

        @Override
        public void onWritable(GatewayLink from) {
            send();
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
