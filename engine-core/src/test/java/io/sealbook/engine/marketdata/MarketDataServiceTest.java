package io.sealbook.engine.marketdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.fixture.ReluctantClient;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.TradePrint;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class MarketDataServiceTest {
    @TempDir
    Path directory;

    static Stream<MethodDescriptor<MarketDataRequest, ?>> conflatedStreams() {
        return Stream.of(MarketDataGrpc.getFollowDepthMethod(), MarketDataGrpc.getFollowBestPricesMethod());
    }

    /** It sees fewer states instead of a gap, so that nothing but the limit ends it. */
    @ParameterizedTest
    @MethodSource("conflatedStreams")
    void shouldCutAReaderOfAConflatedStreamThatNeverReads(MethodDescriptor<MarketDataRequest, ?> method)
            throws Exception {
        try (Served served = new Served("100")) {
            ReluctantClient<?> silent = served.follow(method);
            Facts.await("the stream", () -> served.service.followerCount() > 0);

            while (served.service.followerCount() > 0) {
                served.commit(1);
            }

            Status status = silent.awaitEnd();
            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).matches("stream read nothing for \\d+ ms, at most 100 ms");
        }
    }

    /** However short the limit: there is nothing to read for long, and room when something comes. */
    @Test
    void shouldKeepAReaderOfAQuietMarket() throws Exception {
        try (Served served = new Served("1")) {
            ReluctantClient<?> reader = served.follow(MarketDataGrpc.getFollowDepthMethod());
            for (int i = 0; i < TestMarket.INSTRUMENTS.length; i++) {
                reader.read();
            }
            for (int i = 0; i < 5; i++) {
                Thread.sleep(5); // Longer than the limit.
                served.commit(1);
                reader.read();
            }

            assertThat(served.service.followerCount()).isEqualTo(1);
        }
    }

    /** Trade ids go on where they were, and the tape has none of those before. */
    @Test
    void shouldSendTradesAfterARestart() throws Exception {
        try (Served served = new Served("60000")) {
            long before = served.engine.monitor.totals().trades();
            assertThat(before).isPositive();

            served.restart();

            assertThat(served.engine.tape.lastTradeId()).isEqualTo(before);
            ReluctantClient<TradePrint> reader = served.follow(MarketDataGrpc.getFollowTradesMethod());
            Facts.await("the stream", () -> served.service.followerCount() > 0);
            served.commit(1);
            assertThat(reader.read().getTradeId()).isEqualTo(before + 1);
        }
    }

    @Test
    void shouldRefuseToReadAWrongBook() {
        AgreedMarket market = new AgreedMarket(TestMarket.write(directory, 1));
        EngineMonitor monitor = new EngineMonitor(new SimpleMeterRegistry());
        monitor.enter(EnginePhase.TAILING);
        monitor.onWrongResult(Optional.of("the result of block 5 is a, the others have b"));
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        StreamObserver<Depth> reader = new StreamObserver<>() {
            @Override
            public void onNext(Depth depth) {
                end.complete(new AssertionError(depth));
            }

            @Override
            public void onError(Throwable failure) {
                end.complete(failure);
            }

            @Override
            public void onCompleted() {}
        };
        try (MarketDataService service = new MarketDataService(
                market,
                monitor,
                EngineSettings.of(key -> null).marketData(),
                new DepthBoard(market.instrumentIds()),
                new TradeTape(1))) {
            service.followDepth(MarketDataRequest.getDefaultInstance(), reader);
        }

        assertThat(end)
                .isCompletedWithValueMatching(failure -> failure.getMessage()
                        .equals("UNAVAILABLE: engine is wrong: the result of block 5 is a, the others have b"));
    }

    /** An engine that publishes each block, and its port of market data. */
    private final class Served implements AutoCloseable {
        MarketDataService service;
        private final String stallMs;
        private final TestFlow flow = new TestFlow(31);
        private final TestNode node;
        private TestEngine engine;
        private final AccessRefusals refusals = new AccessRefusals(new SimpleMeterRegistry());
        private EngineGrpcServer server;
        private ManagedChannel channel;

        Served(String stallMs) throws Exception {
            this.stallMs = stallMs;
            node = new TestNode(directory, TestMarket.write(directory, 1).digest());
            node.commitFlow(flow, 1, 8, 20);
            start();
        }

        private void start() throws Exception {
            engine = new TestEngine(
                    directory,
                    Map.of(
                            "sealbook.engine.directory",
                            directory.toString(),
                            "sealbook.engine.market-data.conflation-ms",
                            "0",
                            "sealbook.engine.market-data.stall-ms",
                            stallMs));
            service = new MarketDataService(
                    AgreedMarket.read(new EngineDirectory(directory).genesis()),
                    engine.monitor,
                    engine.settings.marketData(),
                    engine.board,
                    engine.tape);
            server = new EngineGrpcServer(engine.settings, EngineTls.OFF, List.of(service), refusals);
            engine.await(node.lastSequence());
            server.start();
            channel = ReluctantClient.channel(server.port());
        }

        <T> ReluctantClient<T> follow(MethodDescriptor<MarketDataRequest, T> method) {
            return ReluctantClient.begin(channel, method, MarketDataRequest.getDefaultInstance());
        }

        void commit(int blocks) throws Exception {
            node.commitFlow(flow, blocks, 8, 20);
            engine.await(node.lastSequence());
        }

        /** Stops in order, with a last snapshot, and starts from it. */
        void restart() throws Exception {
            stop();
            start();
        }

        private void stop() {
            channel.shutdownNow();
            server.close();
            service.close();
            engine.close();
        }

        @Override
        public void close() {
            stop();
            refusals.close();
        }
    }
}
