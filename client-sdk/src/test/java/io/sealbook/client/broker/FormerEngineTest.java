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
import io.sealbook.client.AccountPositions;
import io.sealbook.client.BookDepth;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.PriceLevel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Another machine becomes a node: its engine is asked, and the one before no more. */
class FormerEngineTest extends ClusterTest {
    private static final int REPLACED = 2;
    private static final int LIAR = 3;
    private static final int ACCOUNT = 7;
    private static final long BLOCK = 9;
    private static final Duration LONG = Duration.ofSeconds(AWAIT_LIMIT_S);

    private MethodDescriptor<?, ?> lateMethod = ExecutionReportsGrpc.getGetLastReportMethod();
    private int lateNode = REPLACED;
    private final AtomicBoolean isLate = new AtomicBoolean(true);
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

    /** The answers of a former machine and of another node are late, and alike. */
    @Test
    void shouldNotCountWhatTheFormerEngineAnsweredToAQuestion() throws Exception {
        lateMethod = BrokerQueriesGrpc.getGetPositionsMethod();
        lateNode = LIAR;
        for (int node : new int[] {REPLACED, LIAR}) {
            cluster.reach(node, BLOCK);
            cluster.lie(node, 5);
        }
        try (BrokerClient client = cluster.client().channels(this::open).connect()) {
            CompletableFuture<AccountPositions> positions = client.positions(ACCOUNT, 0, LONG);
            assertThat(isAnswered.await(AWAIT_LIMIT_S, TimeUnit.SECONDS)).isTrue();
            cluster.awaitAsked(REPLACED, 1);
            cluster.fallSilent(REPLACED);
            replaceAndAwait(client);
            mayArrive.countDown();
            assertThat(hasArrived.await(AWAIT_LIMIT_S, TimeUnit.SECONDS)).isTrue();

            cluster.reach(0, BLOCK);
            cluster.reach(1, BLOCK);

            assertThat(positions
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .positions()
                            .get(0)
                            .boughtQuantity())
                    .isEqualTo(BLOCK);
            assertThat(channels.get()).as("one to each machine").isEqualTo(2);
        }
    }

    @Test
    void shouldNotCountWhatTheFormerEngineReportedOfABook() throws Exception {
        cluster.depth(REPLACED, depth(111));
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<BookDepth> book = client.book(1, 1, 0, LONG);
            cluster.awaitDepthReaders(REPLACED, 1);
            cluster.forgetDepth(REPLACED);
            replaceAndAwait(client);

            cluster.depth(LIAR, depth(111));
            Facts.await("the liar is heard", () -> book.isDone() || cluster.depthReaders(LIAR) == 1);
            cluster.depth(0, depth(100));
            cluster.depth(1, depth(100));

            assertThat(book.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).bids())
                    .extracting(BookDepth.Level::price)
                    .containsExactly(100L);
        }
    }

    private static Depth depth(long bid) {
        return Depth.newBuilder()
                .setInstrumentId(1)
                .setBlockSequence(BLOCK)
                .addBids(PriceLevel.newBuilder().setPrice(bid).setQuantity(7).setOrderCount(2))
                .build();
    }

    /** Waits until the client knows the new machine. */
    private void replaceAndAwait(BrokerClient client) throws Exception {
        Genesis before = client.terms();
        cluster.replaceInPlace(REPLACED);
        Facts.await("the new machine is known", () -> client.terms() != before);
    }

    /** An engine that was silent speaks, and is asked again. */
    private void speak(int node, TestNode.Reports sent) {
        cluster.kill(node);
        cluster.reports(node, sent);
        cluster.restart(node);
    }

    private ManagedChannel open(int nodeId, ConnectionReport.Role role, String host, int port) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(host, port).usePlaintext();
        boolean isEngine = role == ConnectionReport.Role.ENGINE;
        if (isEngine && nodeId == REPLACED) {
            channels.incrementAndGet();
        }
        if (isEngine && nodeId == lateNode) {
            channel.intercept(new LateAnswer());
        }
        return channel.build();
    }

    /** Holds the first answer of the late engine. */
    private final class LateAnswer implements ClientInterceptor {
        @Override
        public <A, B> ClientCall<A, B> interceptCall(MethodDescriptor<A, B> method, CallOptions options, Channel next) {
            ClientCall<A, B> call = next.newCall(method, options);
            if (!method.equals(lateMethod) || !isLate.getAndSet(false)) {
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
