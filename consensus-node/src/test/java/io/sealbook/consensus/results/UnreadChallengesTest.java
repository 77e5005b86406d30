package io.sealbook.consensus.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.rate.CallRateLimit;
import io.sealbook.access.rate.InboundBounds;
import io.sealbook.access.rate.Rates;
import io.sealbook.access.role.PortSecurity;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.ResultChallenge;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.ReturnedResult;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Callers that open streams of results and do not read their challenges. */
@Timeout(300)
class UnreadChallengesTest {
    private static final int CALLS_MAX = 64;
    private static final Rates RATES = new Rates(100_000, 1_000_000);
    /** Of streams without a proof. */
    private static final int UNPROVEN_MAX = 32;

    @TempDir
    private Path directory;

    private final AtomicInteger begun = new AtomicInteger();
    private final HolderQuota places = new HolderQuota(CALLS_MAX, CALLS_MAX);
    private Server server;
    private ManagedChannel stranger;
    private ManagedChannel engine;

    @BeforeEach
    void start() throws Exception {
        EngineKey key = EngineKey.read(Files.writeString(directory.resolve("engine.key"), "5a".repeat(32)));
        ReturnedResults results = new ReturnedResults(0, () -> 100, () -> 0, result -> {});
        CallRateLimit rates = PortSecurity.NONE.rateLimit(RATES, System::nanoTime, (remote, reason) -> {});
        ReadLimit reads = new ReadLimit(Map.of(), places, (remote, reason) -> {});
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", 0), PortSecurity.NONE.credentials())
                .directExecutor()
                .intercept(new ServerInterceptor() {
                    @Override
                    public <Q, A> ServerCall.Listener<Q> interceptCall(
                            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                        begun.incrementAndGet();
                        return next.startCall(call, headers);
                    }
                })
                .addService(PortSecurity.NONE.protect(new ResultReturnService(key, results), rates, reads));
        server = InboundBounds.set(builder, 1_000, CALLS_MAX, RATES).build().start();
        stranger = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .flowControlWindow(1)
                .build();
        engine = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        stranger.shutdownNow();
        engine.shutdownNow();
        server.shutdownNow();
    }

    /** The end of a stream waits for its challenge to be read, and its place would wait for its end. */
    @Test
    void shouldTakeThePlaceOfAStreamWhoseChallengeIsNotRead() throws Exception {
        for (int i = 0; i < CALLS_MAX; i++) {
            ClientCall<ReturnedResult, ResultChallenge> call =
                    stranger.newCall(ResultReturnGrpc.getReturnResultsMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
        }

        Facts.await(
                () -> UNPROVEN_MAX + " places of " + begun + " calls, they are " + places.count(),
                () -> begun.get() == CALLS_MAX && places.count() == UNPROVEN_MAX);
        Challenged challenged = new Challenged();
        ResultReturnGrpc.newStub(engine).returnResults(challenged);
        assertThat(challenged.challenge.get(2, TimeUnit.MINUTES).getNextSequence())
                .isEqualTo(1);
    }

    /** Such a stream has ended before another one needs its place. */
    @Test
    void shouldTakeThePlaceOfAStreamThatItsCallerHasEnded() throws Exception {
        for (int i = 0; i < CALLS_MAX; i++) {
            ClientCall<ReturnedResult, ResultChallenge> call =
                    stranger.newCall(ResultReturnGrpc.getReturnResultsMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
            call.halfClose();
        }

        Facts.await(
                () -> "no place of " + begun + " calls, they are " + places.count(),
                () -> begun.get() == CALLS_MAX && places.count() == 0);
    }

    private static final class Challenged implements ClientResponseObserver<ReturnedResult, ResultChallenge> {
        private final CompletableFuture<ResultChallenge> challenge = new CompletableFuture<>();

        @Override
        public void beforeStart(ClientCallStreamObserver<ReturnedResult> stream) {
            // The challenge is all that it waits for.
        }

        @Override
        public void onNext(ResultChallenge first) {
            challenge.complete(first);
        }

        @Override
        public void onError(Throwable failure) {
            challenge.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            // Likewise.
        }
    }
}
