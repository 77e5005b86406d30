package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.fixture.Stranger;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** A stranger without credentials takes the share of its address from others, and no more. */
@Timeout(300)
class EngineDoorsTest {
    private static final AtomicInteger STRANGERS = new AtomicInteger();
    private static final String BROKER = "127.0.0.3";
    private static final int FLOOD = 300;
    /** Each test comes from an address of its own. Two seconds' worth are more than those need that look at places. */
    private static final int PER_SECOND = 300;

    private static final int STREAMS_PER_ADDRESS = 64;
    private static final int HTTP_CONNECTIONS_PER_ADDRESS = 64;
    private static final int REQUESTS_PER_ADDRESS = 8;
    /** That answer requests, of Tomcat. */
    private static final int THREADS = 32;

    private static final String UPGRADE = """
            GET /ws/market-data?instrument=1 HTTP/1.1\r
            Host: 127.0.0.1\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
            \r
            """;

    /** A masked frame (RFC 6455, section 5.2) with as many bytes as one may have; the mask is zero. */
    private static final String PING = "\u0089\u00fd" + "\0".repeat(4) + "x".repeat(125);

    @TempDir
    static Path directory;

    private static ConfigurableApplicationContext context;
    private static int grpcPort;
    private static int httpPort;

    private final String address = "127.0.1." + STRANGERS.incrementAndGet();
    private final Stranger stranger = new Stranger(address);
    private final Stranger broker = new Stranger(BROKER);

    @BeforeAll
    static void start() throws Exception {
        var genesis = TestMarket.write(
                directory,
                1,
                "server.port=0",
                // All of them would be taken, were there no share of an address.
                "server.tomcat.max-connections=200",
                // Strangers are not helped away by the clock.
                "server.tomcat.connection-timeout=1h",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.grpc.calls-per-second=" + PER_SECOND,
                "sealbook.engine.http.requests-per-second=" + PER_SECOND,
                "sealbook.engine.http.ping-ms=3600000",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.enabled=false");
        TestNode node = new TestNode(directory, genesis.digest());
        SpringApplication application = EngineApplication.application(directory);
        application.addInitializers(made -> ((GenericApplicationContext) made)
                .registerBean("buffers", WebServerFactoryCustomizer.class, EngineDoorsTest::smallBuffers));
        context = application.run("--logging.level.root=error");
        grpcPort = context.getBean(EngineGrpcServer.class).port();
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        node.commitFlow(new TestFlow(3), 4, 4, 50);
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        Facts.await("blocks executed", () -> monitor.lastExecuted() == 4);
    }

    /** A client that reads nothing holds a thread after a few KB, not after MBs. */
    private static WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
        return factory ->
                factory.addConnectorCustomizers(connector -> connector.setProperty("socket.txBufSize", "4096"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @AfterEach
    void close() throws Exception {
        stranger.close();
        broker.close();
        Facts.await(
                () -> "no connection is left; those to gRPC are " + gauge("grpc") + ", to HTTP " + gauge("http")
                        + ", followers " + followers(),
                () -> gauge("grpc") == 0 && gauge("http") == 0 && followers() == 0);
    }

    @Test
    void shouldServeReportsWhileAStrangerHasItsShareOfStreams() throws Exception {
        double before = refused("reads", "grpc");
        List<Call> strangers = new ArrayList<>();
        for (int connection = 0; connection < 5; connection++) {
            ManagedChannel channel = stranger.channel(grpcPort);
            for (int i = 0; i < FLOOD / 5; i++) {
                strangers.add(followReports(channel, i % 2 == 0));
            }
        }

        Facts.await("those beyond the share have ended", () -> ended(strangers).size() == FLOOD - STREAMS_PER_ADDRESS);
        Call served = followReports(broker.channel(grpcPort));
        Facts.await("the broker is served or refused", () -> served.received > 0 || served.end != null);

        assertThat(served.end).isNull();
        assertThat(ended(strangers)).allSatisfy(call -> {
            assertThat(call.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(call.end.getDescription()).contains("address " + address + " has 64 such calls open");
        });
        assertThat(refused("reads", "grpc") - before).isEqualTo(FLOOD - STREAMS_PER_ADDRESS);
    }

    @Test
    void shouldServeMarketDataWhileAStrangerHasItsShareOfStreams() throws Exception {
        List<Call> strangers = new ArrayList<>();
        for (int connection = 0; connection < 5; connection++) {
            ManagedChannel channel = stranger.channel(grpcPort);
            for (int i = 0; i < FLOOD / 5; i++) {
                strangers.add(followMarket(channel, i % 3));
            }
        }

        Facts.await("those beyond the share have ended", () -> ended(strangers).size() == FLOOD - STREAMS_PER_ADDRESS);
        Call served = followMarket(broker.channel(grpcPort), 0);
        Facts.await("the broker is served or refused", () -> served.received > 0 || served.end != null);

        assertThat(served.end).isNull();
    }

    @Test
    void shouldGiveThePlaceOfAnEndedStreamToTheNext() throws Exception {
        ManagedChannel first = stranger.channel(grpcPort);
        List<Call> all = new ArrayList<>();
        for (int i = 0; i < STREAMS_PER_ADDRESS; i++) {
            all.add(followReports(first));
        }
        Facts.await("all are served", () -> all.stream().allMatch(call -> call.received > 0));
        first.shutdownNow();

        ManagedChannel second = stranger.channel(grpcPort);
        Facts.await("a place is free", () -> {
            Call next = followReports(second);
            Facts.await("served or refused", () -> next.received > 0 || next.end != null);
            return next.end == null;
        });
    }

    @Test
    void shouldCloseConnectionsToTheGrpcPortBeyondTheShareOfAnAddress() throws Exception {
        double before = refused("connections", "grpc");
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < FLOOD; i++) {
            sockets.add(stranger.send(grpcPort, ""));
        }
        Facts.await("some were refused", () -> refused("connections", "grpc") - before == FLOOD - 128);

        Stranger.awaitEnd(sockets.getLast());
        Call served = followReports(broker.channel(grpcPort));
        Facts.await("the broker is served or refused", () -> served.received > 0 || served.end != null);
        assertThat(served.end).isNull();
        assertThat(gauge("grpc")).isEqualTo(128 + 1);
    }

    @Test
    void shouldServeWebSocketsWhileAStrangerHasItsShareOfConnections() throws Exception {
        double before = refused("connections", "http") + refused("reads", "http");
        for (int i = 0; i < FLOOD; i++) {
            stranger.send(httpPort, UPGRADE);
        }
        // Some of those that have a connection are refused as one request too many at once.
        Facts.await(
                "each is refused or open",
                () -> refused("connections", "http") + refused("reads", "http") - before + followers() == FLOOD);
        assertThat(followers()).isBetween(1.0, (double) HTTP_CONNECTIONS_PER_ADDRESS);

        CompletableFuture<String> message = new CompletableFuture<>();
        broker.http()
                .newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + httpPort + "/ws/market-data?instrument=1"),
                        new WebSocket.Listener() {
                            @Override
                            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
                                message.complete(data.toString());
                                return null;
                            }

                            @Override
                            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                                message.complete(code + " " + reason);
                                return null;
                            }
                        })
                .get(2, TimeUnit.MINUTES);
        assertThat(message.get(2, TimeUnit.MINUTES)).contains("\"type\":\"update\"");
    }

    /** Tomcat waits on the thread that reads a ping until the answer to it is taken. */
    @Test
    void shouldAnswerWhileAStrangerSendsPingsAndReadsNothing() throws Exception {
        List<Stranger> strangers = new ArrayList<>();
        try {
            for (int i = 1; i <= THREADS + REQUESTS_PER_ADDRESS; i++) {
                // Each has a rate that is more than it takes to wait.
                strangers.add(new Stranger("127.0.2." + i));
                // Both paths name the same; pings come with the request, and after it.
                String request = i % 2 == 0 ? UPGRADE : UPGRADE.replace("/ws/", "/%77s/");
                strangers.getLast().sendUnread(httpPort, request + PING.repeat(4_000), 1_024);
                int open = i;
                Facts.await("it is open", () -> followers() == open);
            }

            for (int i = 0; i < THREADS; i++) {
                assertThat(status(broker.http())).isEqualTo(200);
            }
        } finally {
            for (Stranger one : strangers) {
                one.close();
            }
        }
    }

    @Test
    void shouldAnswerWhileAStrangerSendsHalfRequests() throws Exception {
        double before = refused("connections", "http");
        for (int i = 0; i < FLOOD; i++) {
            stranger.send(httpPort, "GET /api/status HTTP/1.1\r\nHost:");
        }
        Facts.await(
                "those beyond the share were closed",
                () -> refused("connections", "http") - before == FLOOD - HTTP_CONNECTIONS_PER_ADDRESS);

        assertThat(status(broker.http())).isEqualTo(200);
    }

    @Test
    void shouldAnswerWhileAStrangerReadsNoAnswers() throws Exception {
        double before = refused("reads", "http");
        String requests = "GET /console.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(2_000);
        for (int i = 0; i < HTTP_CONNECTIONS_PER_ADDRESS; i++) {
            stranger.sendUnread(httpPort, requests, 1_024);
        }
        Facts.await(
                "all but its share of threads are refused",
                () -> refused("reads", "http") - before >= HTTP_CONNECTIONS_PER_ADDRESS - REQUESTS_PER_ADDRESS);

        assertThat(status(broker.http())).isEqualTo(200);
    }

    /** Each is answered without the rest of its body, which Tomcat would wait for on a thread. */
    @Test
    void shouldAnswerWhileAStrangerSendsBodiesSlowly() throws Exception {
        List<Socket> slow = new ArrayList<>();
        for (String line : List.of("GET /api/status", "OPTIONS *", "POST /actuator/loggers/a", "PUT /x", "GET /%zz")) {
            for (String length :
                    List.of("Content-Length: 100000\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n9\r\nx")) {
                for (int i = 0; i < 6; i++) {
                    slow.add(stranger.send(httpPort, line + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length));
                }
            }
        }

        assertThat(slow).hasSizeGreaterThan(THREADS);
        assertThat(status(broker.http())).isEqualTo(200);
        for (Socket socket : slow) {
            assertThat(Stranger.awaitEnd(socket)).startsWith("HTTP/1.1 ").containsIgnoringCase("Connection: close");
        }
    }

    /** An error page is made after the filters are done, and fits into Tomcat's buffer; it names the path. */
    @Test
    void shouldAnswerWhileAStrangerReadsNoErrorPages() throws Exception {
        double before = refused("reads", "http");
        String requests = "GET /ws/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://b\r\n\r\n"
                .formatted("x".repeat(4_000))
                .repeat(14);
        for (int i = 0; i < THREADS + REQUESTS_PER_ADDRESS; i++) {
            stranger.sendUnread(httpPort, requests, 1_024);
        }
        Facts.await("all but its share of threads are refused", () -> refused("reads", "http") - before >= THREADS);

        assertThat(status(broker.http())).isEqualTo(200);
    }

    @Test
    void shouldRefuseCallsOfAStrangerThatIsTooFast() throws Exception {
        ManagedChannel channel = stranger.channel(grpcPort);
        List<Status> ends = new CopyOnWriteArrayList<>();
        Facts.await("one is refused", () -> {
            for (int i = 0; i < 100; i++) {
                getStatus(channel, ends);
            }
            return ends.stream().anyMatch(end -> !end.isOk());
        });

        assertThat(ends.stream().filter(end -> !end.isOk()))
                .allMatch(end -> end.getCode() == Status.Code.RESOURCE_EXHAUSTED)
                .allMatch(end -> end.getDescription()
                        .equals("address " + address + " makes more than 300 calls per second, the most that one may"));
        assertThat(refused("rates", "grpc")).isPositive();
        List<Status> served = new CopyOnWriteArrayList<>();
        getStatus(broker.channel(grpcPort), served);
        Facts.await("the broker is served", () -> !served.isEmpty());
        assertThat(served).containsExactly(Status.OK);
    }

    @Test
    void shouldRefuseCompressedRequests() throws Exception {
        ManagedChannel channel = stranger.channel(grpcPort);
        List<Status> compressed = new CopyOnWriteArrayList<>();
        List<Status> plain = new CopyOnWriteArrayList<>();
        getStatus(EngineStatusGrpc.newStub(channel).withCompression("gzip"), compressed);
        getStatus(channel, plain);
        Facts.await("both have ended", () -> !compressed.isEmpty() && !plain.isEmpty());

        assertThat(compressed.getFirst().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(compressed.getFirst().getDescription()).contains("gzip");
        assertThat(plain).containsExactly(Status.OK);
    }

    private static void getStatus(ManagedChannel channel, List<Status> ends) {
        getStatus(EngineStatusGrpc.newStub(channel), ends);
    }

    private static void getStatus(EngineStatusGrpc.EngineStatusStub stub, List<Status> ends) {
        stub.getEngineStatus(GetEngineStatusRequest.getDefaultInstance(), new StreamObserver<>() {
            @Override
            public void onNext(EngineState state) {
                // The end says whether it was served.
            }

            @Override
            public void onError(Throwable reason) {
                ends.add(Status.fromThrowable(reason));
            }

            @Override
            public void onCompleted() {
                ends.add(Status.OK);
            }
        });
    }

    @Test
    void shouldRefuseRequestsOfAStrangerThatIsTooFast() throws Exception {
        // As many as Tomcat answers on one connection, without a pause between them.
        String requests = "GET /icon.svg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(100);
        String answers = "";
        while (!answers.contains("HTTP/1.1 429")) {
            try {
                answers = new String(
                        stranger.send(httpPort, requests).getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketException reset) {
                // Requests that came after the refused one were not read: the next connection shows the refusal.
                answers = "";
            }
        }

        assertThat(answers.substring(answers.indexOf("HTTP/1.1 429")))
                .contains("Retry-After: 1", "address " + address + " makes more than 300 calls per second");
        assertThat(status(broker.http())).isEqualTo(200);
    }

    /** They count with the requests of the one who opened it. */
    @Test
    void shouldEndAWebSocketThatSendsTooManyMessages() throws Exception {
        double before = refused("rates", "http");
        CompletableFuture<Integer> closed = new CompletableFuture<>();
        WebSocket socket = stranger.http()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + httpPort + "/ws/market-data"), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                        closed.complete(code);
                        return null;
                    }

                    @Override
                    public void onError(WebSocket socket, Throwable reason) {
                        closed.complete(0);
                    }
                })
                .get(2, TimeUnit.MINUTES);
        Facts.await("it is closed", () -> {
            try {
                for (int i = 0; i < 100 && !closed.isDone() && !socket.isOutputClosed(); i++) {
                    socket.sendText("{\"instrument\":1}", true).get(2, TimeUnit.MINUTES);
                }
            } catch (ExecutionException e) {
                return true;
            }
            return closed.isDone();
        });

        assertThat(refused("rates", "http") - before).isEqualTo(1);
        assertThat(status(broker.http())).isEqualTo(200);
    }

    /** A ping, a pong, a message of a kind that nobody reads, an empty part of a message that has begun. */
    @ParameterizedTest
    @ValueSource(strings = {"89", "8a", "82", "00"})
    void shouldEndAWebSocketThatSendsTooManyFramesWithoutAMessage(String firstByte) throws Exception {
        double before = refused("rates", "http");
        boolean isPart = firstByte.equals("00");
        Socket socket = stranger.send(httpPort, UPGRADE + (isPart ? "\u0001\u0080\0\0\0\0" : ""));
        byte[] frames = ((char) Integer.parseInt(firstByte, 16) + "\u0080\0\0\0\0")
                .repeat(100)
                .getBytes(StandardCharsets.ISO_8859_1);
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try {
                    socket.getOutputStream().write(frames);
                } catch (IOException ended) {
                    return;
                }
            }
        });

        // A close frame of 1013, and then the end, although this side sends on.
        assertThat(Stranger.awaitEnd(socket)).contains("\u0003\u00f5too many messages or bytes per second");
        assertThat(refused("rates", "http") - before).isEqualTo(1);
        assertThat(status(broker.http())).isEqualTo(200);
    }

    /** Compressed, few bytes would be many, and frames of an ended stream (RFC 1951) would not be counted. */
    @Test
    void shouldEndAWebSocketThatSendsACompressedFrame() throws Exception {
        String offer = UPGRADE.replace(
                "Host: 127.0.0.1\r\n", "Host: 127.0.0.1\r\nSec-WebSocket-Extensions: permessage-deflate\r\n");
        Socket socket = stranger.send(httpPort, offer + "\u0041\u0080\0\0\0\0");

        // A close frame of 1002, a protocol error.
        assertThat(Stranger.awaitEnd(socket))
                .startsWith("HTTP/1.1 101 ")
                .doesNotContainIgnoringCase("Sec-WebSocket-Extensions")
                .contains("\u0003\u00ea");
    }

    private static int status(HttpClient client) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + "/api/status"))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .get(2, TimeUnit.MINUTES)
                .statusCode();
    }

    private static double refused(String what, String port) {
        return context.getBean(MeterRegistry.class)
                .get("sealbook.engine.refused." + what)
                .tag("port", port)
                .counter()
                .count();
    }

    private static double followers() {
        return context.getBean(MeterRegistry.class)
                .get("sealbook.engine.market.data.followers")
                .gauge()
                .value();
    }

    private static double gauge(String port) {
        return context.getBean(MeterRegistry.class)
                .get("sealbook.engine.connections")
                .tag("port", port)
                .gauge()
                .value();
    }

    private static List<Call> ended(List<Call> calls) {
        return calls.stream().filter(call -> call.end != null).toList();
    }

    private static Call followReports(ManagedChannel channel) {
        return followReports(channel, false);
    }

    private static Call followReports(ManagedChannel channel, boolean isByBlock) {
        Call call = new Call();
        ExecutionReportsGrpc.ExecutionReportsStub stub = ExecutionReportsGrpc.newStub(channel);
        if (isByBlock) {
            stub.followByBlock(
                    FollowReportsByBlockRequest.newBuilder().setBrokerId(1).build(), call.observer());
        } else {
            stub.follow(FollowReportsRequest.newBuilder().setBrokerId(1).build(), call.observer());
        }
        return call;
    }

    private static Call followMarket(ManagedChannel channel, int kind) {
        Call call = new Call();
        MarketDataRequest request = MarketDataRequest.getDefaultInstance();
        MarketDataGrpc.MarketDataStub stub = MarketDataGrpc.newStub(channel);
        switch (kind) {
            case 0 -> stub.followDepth(request, call.observer());
            case 1 -> stub.followBestPrices(request, call.observer());
            default -> stub.followTrades(request, call.observer());
        }
        return call;
    }

    /** One call, and what came of it. */
    private static final class Call {
        private volatile long received;
        private volatile Status end;

        <A> StreamObserver<A> observer() {
            return new StreamObserver<>() {
                @Override
                public void onNext(A answer) {
                    received++;
                }

                @Override
                public void onError(Throwable reason) {
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
