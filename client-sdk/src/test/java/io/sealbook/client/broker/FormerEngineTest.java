package io.sealbook.client.broker;

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
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Another machine becomes a node: its engine is asked, and the one before no more. */
class FormerEngineTest extends ClusterTest {
    private static final int REPLACED = 2;
    private static final int LIAR = 3;

    private final AtomicInteger channels = new AtomicInteger();
    private final CountDownLatch isAnswered = new CountDownLatch(1);
    private final CountDownLatch mayArrive = new CountDownLatch(1);
    private final CountDownLatch hasArrived = new CountDownLatch(1);
    private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();

    /** Its answer is late; a machine that lies, and replaces no other, must not find it counted. */
    @Test
    void shouldNotCountTheLateAnswerOfTheFormerEngine() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.reports(node, TestNode.Reports.SILENT);
        }
        cluster.reports(REPLACED, TestNode.Reports.WRONG_REPORTS);
        CompletableFuture<BrokerClient> connecting = CompletableFuture.supplyAsync(() -> cluster.client()
                .channels(this::open)
                .executionReports(reports::add)
                .reportsFromNow()
                .connect());
        assertThat(isAnswered.await(AWAIT_LIMIT_S, TimeUnit.SECONDS)).isTrue();
        cluster.reports(REPLACED, TestNode.Reports.SILENT);
        cluster.replace(REPLACED);
        Facts.await("the new machine is known", () -> channels.get() > 1);
        mayArrive.countDown();
        assertThat(hasArrived.await(AWAIT_LIMIT_S, TimeUnit.SECONDS)).isTrue();

        speak(LIAR, TestNode.Reports.WRONG_REPORTS);
        speak(0, TestNode.Reports.TRUE);
        speak(1, TestNode.Reports.TRUE);

        try (BrokerClient client = connecting.get(AWAIT_LIMIT_S, TimeUnit.SECONDS)) {
            Facts.await("reports are asked for", () -> !cluster.reportsFrom(0).isEmpty());
            assertThat(cluster.reportsFrom(0)).containsOnly(1L);
            await(client.submit(order(1)));
            Facts.await("its report", () -> !reports.isEmpty());
        }
    }

    /** A connection that is open would lead to the former one. */
    @Test
    void shouldConnectAnewToAnotherMachineAtTheSameAddress() throws Exception {
        mayArrive.countDown();
        try (BrokerClient client = cluster.client()
                .channels(this::open)
                .executionReports(reports::add)
                .connect()) {
            cluster.replaceInPlace(REPLACED);

            Facts.await("a new channel", () -> channels.get() > 1);
            await(client.submit(order(1)));
            Facts.await("its report", () -> !reports.isEmpty());
        }
    }

    /** An engine that was silent speaks, and is asked again. */
    private void speak(int node, TestNode.Reports sent) {
        cluster.kill(node);
        cluster.reports(node, sent);
        cluster.restart(node);
    }

    private ManagedChannel open(int nodeId, ConnectionReport.Role role, String host, int port) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(host, port).usePlaintext();
        if (nodeId == REPLACED && role == ConnectionReport.Role.ENGINE && channels.getAndIncrement() == 0) {
            channel.intercept(new LateAnswer());
        }
        return channel.build();
    }

    /** Holds what the engine says about its last report. */
    private final class LateAnswer implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            ClientCall<A, B> call = next.newCall(method, options);
            if (!method.equals(ExecutionReportsGrpc.getGetLastReportMethod())) {
                return call;
            }
            return new SimpleForwardingClientCall<>(call) {
                @Override
                public void start(Listener<B> listener, Metadata headers) {
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onMessage(B message) {
                                    isAnswered.countDown();
                                    awaitHeld();
                                    super.onMessage(message);
                                    hasArrived.countDown();
                                }
                            },
                            headers);
                }
            };
        }

        private void awaitHeld() {
            try {
                mayArrive.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
