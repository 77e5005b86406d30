package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.rate.Rates;
import io.sealbook.consensus.config.GatewayConfig;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How much a stranger without credentials can take from others at the gateway: the share of his address. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GatewayLimitsTest {
    private static final int NEVER_MS = 3_600_000;
    private static final int IN_FLIGHT_MAX = 64;
    private static final int READ_TIMEOUT_MS = 30_000;
    private static final String STRANGER = "127.0.0.2";
    private static final String BROKER = "127.0.0.3";

    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private ServedGateway gateway;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : opened.reversed()) {
            closeable.close();
        }
    }

    @Test
    void shouldServeReadersWhileAStrangerHasItsShare() throws Exception {
        start(places(64, 32, NEVER_MS, 16, 4));
        List<Call> strangers = new ArrayList<>();
        for (int connection = 0; connection < 3; connection++) {
            ManagedChannel channel = channel(STRANGER);
            for (int i = 0; i < 4; i++) {
                strangers.add(i % 2 == 0 ? followReceipts(channel) : getBlocks(channel));
            }
        }

        await("8 of 12 refused", () -> strangers.stream().filter(Call::hasEnded).count() == 8);
        assertThat(strangers.stream().filter(Call::hasEnded).map(call -> call.end))
                .allMatch(end -> end.getCode() == Status.Code.RESOURCE_EXHAUSTED)
                .allMatch(end -> end.getDescription().contains("address 127.0.0.2 has 4 such calls open"));
        Call broker = followReceipts(channel(BROKER));
        await("the broker is served", () -> broker.received > 0);
        assertThat(broker.hasEnded()).isFalse();
    }

    @Test
    void shouldServeSoManyReadersInAll() throws Exception {
        start(places(64, 32, NEVER_MS, 4, 2));
        List<Call> calls = new ArrayList<>();
        for (String address : List.of("127.0.0.4", "127.0.0.5", "127.0.0.6")) {
            ManagedChannel channel = channel(address);
            calls.add(followReceipts(channel));
            calls.add(followReceipts(channel));
        }

        await("2 of 6 refused", () -> calls.stream().filter(Call::hasEnded).count() == 2);
        assertThat(calls.stream().filter(Call::hasEnded).map(call -> call.end))
                .allMatch(end -> end.getDescription().contains("4 such calls are open"));
    }

    @Test
    void shouldGiveTheShareOfAnEndedReadToTheNext() throws Exception {
        start(places(64, 32, NEVER_MS, 16, 1));
        ManagedChannel channel = channel(STRANGER);
        for (int i = 0; i < 5; i++) {
            Call served = followReceipts(channel);
            await("served", () -> served.received > 0);
            Call refused = followReceipts(channel);
            await("refused", refused::hasEnded);

            served.stream.cancel("the test has seen enough", null);
            await("its place is free", () -> gateway.server.readCount() == 0);
        }
    }

    @Test
    void shouldBoundProofsThatWait() throws Exception {
        start(GatewayConfig.DEFAULTS);
        Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        gateway.service = waiting::add;
        List<Call> calls = new ArrayList<>();
        ManagedChannel channel = channel(STRANGER);
        for (int i = 0; i < 20; i++) {
            calls.add(proof(channel));
        }
        await(
                "those beyond the share refused",
                () -> calls.stream().filter(Call::hasEnded).count() == 12);
        assertThat(calls.stream().filter(Call::hasEnded).map(call -> call.end.getCode()))
                .containsOnly(Status.Code.RESOURCE_EXHAUSTED);
        await("those of the share wait", () -> waiting.size() == 8);

        Call broker = proof(channel(BROKER));
        await("the broker's waits too", () -> waiting.size() == 9);
        waiting.forEach(Runnable::run);

        await("all answered", () -> calls.stream().allMatch(Call::hasEnded) && broker.hasEnded());
        assertThat(broker.end.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    /** A call that is cancelled gives its place back at once; what it has asked for waits all the same. */
    @Test
    void shouldBoundProofsThatWaitForCallersWhoHaveGone() throws Exception {
        start(GatewayConfig.DEFAULTS);
        Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
        gateway.service = waiting::add;
        ManagedChannel channel = channel(STRANGER);
        for (int i = 0; i < 40; i++) {
            int before = waiting.size();
            Call call = proof(channel);
            await("it waits or is refused", () -> waiting.size() > before || call.hasEnded());
            call.stream.cancel("the caller goes", null);
            await("it has ended", call::hasEnded);
        }
        assertThat(waiting).hasSize(8);

        waiting.forEach(Runnable::run);
        waiting.clear();
        Call last = proof(channel);
        await("there is room again", () -> waiting.size() == 1);
        waiting.remove().run();
        await("it is answered", last::hasEnded);
        assertThat(last.end.getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }

    @Test
    void shouldCloseConnectionsBeyondTheShareOfAnAddress() throws Exception {
        start(places(8, 3, NEVER_MS, 16, 4));
        List<Socket> kept = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            kept.add(socket(STRANGER));
        }
        await("three taken", () -> gateway.server.connectionCount() == 3);

        awaitClosed(socket(STRANGER));
        awaitClosed(socket(STRANGER));

        assertThat(answers(BROKER)).isTrue();
        kept.getFirst().close();
        await("a place is free", () -> answers(STRANGER));
    }

    @Test
    void shouldCloseConnectionsBeyondAll() throws Exception {
        start(places(4, 3, NEVER_MS, 16, 4));
        for (String address : List.of("127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7")) {
            socket(address);
        }
        await("four taken", () -> gateway.server.connectionCount() == 4);

        awaitClosed(socket("127.0.0.8"));
        assertThat(gateway.server.connectionCount()).isEqualTo(4);
    }

    @Test
    void shouldCloseConnectionsWithoutACallAndNoOthers() throws Exception {
        start(places(64, 32, 100, 16, 4));
        Call reader = followReceipts(channel(BROKER));
        await("served", () -> reader.received > 0);

        awaitClosed(socket(STRANGER));
        await("only the reader is left", () -> gateway.server.connectionCount() == 1);

        long before = reader.received;
        await("the reader still is served", () -> reader.received > before);
        assertThat(reader.hasEnded()).isFalse();
    }

    @Test
    void shouldRefuseCallsOfAStrangerThatIsTooFastAndServeTheBroker() throws Exception {
        start(new GatewayConfig(64, 32, NEVER_MS, 16, 4, new Rates(1, 1 << 20)));
        ManagedChannel channel = channel(STRANGER);
        List<Call> calls = new ArrayList<>();
        await("one is refused", () -> {
            calls.add(status(channel));
            return calls.stream().anyMatch(call -> call.hasEnded() && !call.end.isOk());
        });

        Call refused = calls.stream()
                .filter(call -> call.hasEnded() && !call.end.isOk())
                .findFirst()
                .orElseThrow();
        assertThat(refused.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(refused.end.getDescription())
                .isEqualTo("address 127.0.0.2 makes more than 1 calls per second, the most that one may");
        Metadata trailers = refused.trailers;
        assertThat(trailers.get(Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER)))
                .satisfies(waitMs -> assertThat(Integer.parseInt(waitMs)).isBetween(1, 2_000));
        assertThat(answers(BROKER)).isTrue();
    }

    /** A stream of orders ends with the message that is too much; answers that are on their way disturb nobody. */
    @Test
    void shouldEndAStreamOfOrdersThatSendsTooManyBytes() throws Exception {
        start(new GatewayConfig(64, 32, NEVER_MS, 16, 4, new Rates(1_000, 1_000)));
        gateway.ingress.start();
        Call orders = new Call();
        StreamObserver<SubmitRequests> stream =
                OrderGatewayGrpc.newStub(channel(STRANGER)).submit(orders.of());
        SubmitRequests message = SubmitRequests.newBuilder()
                .addRequests(SubmitRequest.newBuilder().setSignedBatch(ByteString.copyFrom(new byte[500])))
                .build();
        await("the stream has ended", () -> {
            if (!orders.hasEnded()) {
                stream.onNext(message);
            }
            return orders.hasEnded();
        });

        assertThat(orders.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(orders.end.getDescription())
                .isEqualTo("address 127.0.0.2 sends more than 1000 bytes per second, the most that one may");
        assertThat(answers(BROKER)).isTrue();
    }

    /** Bounds and rates count what comes over the network: 1 KiB of gzip may be the largest message. */
    @Test
    void shouldRefuseCompressedRequests() throws Exception {
        start(GatewayConfig.DEFAULTS);
        Queue<Runnable> seen = new ConcurrentLinkedQueue<>();
        gateway.service = seen::add;
        GetInclusionProofRequest large = GetInclusionProofRequest.newBuilder()
                .setBatchId(ByteString.copyFrom(new byte[500_000]))
                .build();
        Call compressed = new Call();

        OrderGatewayGrpc.newStub(channel(STRANGER)).withCompression("gzip").getInclusionProof(large, compressed.of());

        await("it has ended or was seen", () -> compressed.hasEnded() || !seen.isEmpty());
        assertThat(seen).isEmpty();
        assertThat(compressed.end.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(compressed.end.getDescription()).contains("gzip");
        assertThat(answers(STRANGER)).isTrue();
    }

    /** Answers that nobody reads stay in the memory of the node: the client's window has room for one byte of each. */
    @Test
    void shouldHoldFewAnswersForACallerThatReadsNone() throws Exception {
        start(GatewayConfig.DEFAULTS);
        ManagedChannel channel = channel(STRANGER, 1);
        AtomicInteger answered = new AtomicInteger();
        OrderGatewayGrpc.OrderGatewayStub stub =
                OrderGatewayGrpc.newStub(channel).withInterceptors(countingHeaders(answered));
        List<Call> unread = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            stub.getMembership(
                    GetMembershipRequest.getDefaultInstance(), oneOf(unread).of());
            stub.getEndpoints(
                    GetEndpointsRequest.getDefaultInstance(), oneOf(unread).of());
            stub.logon(LogonRequest.getDefaultInstance(), oneOf(unread).of());
            stub.getNodeStatus(
                    GetNodeStatusRequest.getDefaultInstance(), oneOf(unread).of());
        }

        // Calls overtake each other on their way to their places.
        await("the answers of all are under way", () -> answered.get() == unread.size());
        Call further = status(channel);
        await("a further call of this connection has ended", further::hasEnded);
        assertThat(further.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(further.end.getDescription()).contains("address 127.0.0.2 has 16 such calls open");
        assertThat(unread).noneMatch(Call::hasEnded);
        assertThat(answers(BROKER)).isTrue();

        unread.getFirst().stream.request(1);
        await("one is read", unread.getFirst()::hasEnded);
        await("its place is free", () -> answers(STRANGER));
        unread.get(1).stream.cancel("the test has seen enough", null);
        unread.get(2).stream.cancel("the test has seen enough", null);
        await("their places are free", () -> answers(STRANGER));
    }

    private static ClientInterceptor countingHeaders(AtomicInteger count) {
        return new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                    MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                    @Override
                    public void start(Listener<A> listener, Metadata headers) {
                        super.start(
                                new SimpleForwardingClientCallListener<>(listener) {
                                    @Override
                                    public void onHeaders(Metadata ofAnswer) {
                                        count.incrementAndGet();
                                        super.onHeaders(ofAnswer);
                                    }
                                },
                                headers);
                    }
                };
            }
        };
    }

    /** Adds a call whose answer is not taken until it is requested. */
    private Call oneOf(List<Call> unread) {
        Call call = new Call();
        call.takesAnswers = false;
        unread.add(call);
        return call;
    }

    private Call status(ManagedChannel channel) {
        Call call = new Call();
        OrderGatewayGrpc.newStub(channel).getNodeStatus(GetNodeStatusRequest.getDefaultInstance(), call.of());
        return call;
    }

    private static GatewayConfig places(
            int connectionsMax, int connectionsPerAddress, int idleMs, int readsMax, int readsPerAddress) {
        return new GatewayConfig(
                connectionsMax,
                connectionsPerAddress,
                idleMs,
                readsMax,
                readsPerAddress,
                GatewayConfig.DEFAULTS.rates());
    }

    private void start(GatewayConfig limits) throws IOException {
        gateway = new ServedGateway(directory, 0, IN_FLIGHT_MAX, limits);
        opened.add(gateway);
        gateway.server.start();
    }

    /** Waits for a fact; the calling thread plays the one that serves followers. */
    private void await(String what, BooleanSupplier fact) throws Exception {
        Facts.await(what, () -> {
            gateway.followers.doWork();
            return fact.getAsBoolean();
        });
    }

    private boolean answers(String address) {
        ManagedChannel channel = channel(address);
        try {
            OrderGatewayGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(READ_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
            return true;
        } catch (StatusRuntimeException refused) {
            return false;
        } finally {
            channel.shutdownNow();
        }
    }

    private Call followReceipts(ManagedChannel channel) {
        Call call = new Call();
        OrderGatewayGrpc.newStub(channel).followReceipts(FollowReceiptsRequest.getDefaultInstance(), call.of());
        return call;
    }

    private Call getBlocks(ManagedChannel channel) {
        Call call = new Call();
        OrderGatewayGrpc.newStub(channel).getBlocks(GetBlocksRequest.getDefaultInstance(), call.of());
        return call;
    }

    private Call proof(ManagedChannel channel) {
        Call call = new Call();
        OrderGatewayGrpc.newStub(channel).getInclusionProof(GetInclusionProofRequest.getDefaultInstance(), call.of());
        return call;
    }

    private ManagedChannel channel(String address) {
        return channel(address, NettyChannelBuilder.DEFAULT_FLOW_CONTROL_WINDOW);
    }

    private ManagedChannel channel(String address, int windowBytes) {
        ManagedChannel channel =
                gateway.channelFrom(address).flowControlWindow(windowBytes).build();
        opened.add(channel::shutdownNow);
        return channel;
    }

    private Socket socket(String address) throws IOException {
        Socket socket = new Socket();
        opened.add(socket);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", gateway.server.port()));
        return socket;
    }

    private static void awaitClosed(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }

    /** One call and its outcome. */
    private final class Call {
        private volatile ClientCallStreamObserver<?> stream;
        private volatile long received;
        private volatile Metadata trailers;
        private volatile Status end;
        private boolean takesAnswers = true;

        boolean hasEnded() {
            return end != null;
        }

        <Q, A> ClientResponseObserver<Q, A> of() {
            return new ClientResponseObserver<>() {
                @Override
                public void beforeStart(ClientCallStreamObserver<Q> started) {
                    stream = started;
                    if (!takesAnswers) {
                        started.disableAutoRequestWithInitial(0);
                    }
                }

                @Override
                public void onNext(A answer) {
                    received++;
                }

                @Override
                public void onError(Throwable reason) {
                    trailers = Status.trailersFromThrowable(reason);
                    end = Status.fromThrowable(reason);
                }

                @Override
                public void onCompleted() {
                    end = Status.OK;
                }
            };
        }
    }
}
