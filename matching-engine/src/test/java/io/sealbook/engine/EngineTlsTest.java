package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.access.TlsPorts;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import io.sealbook.tls.role.RoleStatement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** The ports of an engine with {@code sealbook.engine.tls=required}. */
@Timeout(300)
class EngineTlsTest {
    private static final Signer BROKER_1 = Signers.generate(SignatureScheme.SM2_SM3);
    private static final Signer BROKER_2 = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private static final CertificateAuthority AUTHORITY =
            new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());

    @TempDir
    static Path directory;

    private static ConfigurableApplicationContext context;
    private static TlsIdentity operator;
    private static TestNode node;
    private static int grpcPort;
    private static int httpPort;
    private static int managementPort;

    @BeforeAll
    static void start() throws Exception {
        GenesisFile genesis = TestMarket.write(
                directory,
                genesis(),
                "server.port=0",
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "sealbook.engine.tls=required",
                "sealbook.engine.tls-key-passphrase-file=tls.pass",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.exit-on-failure=false",
                "server.tomcat.connection-timeout=1h",
                "sealbook.engine.database.enabled=false");
        Files.writeString(directory.resolve("node.properties"), "node-id=0\n");
        node = new TestNode(directory, genesis.digest());
        issueServer("engine");
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve("operator"));
        AUTHORITY.issue(files, "operator", CertificateRole.CLIENT, List.of());
        operator = TlsIdentity.open(files);
        context = EngineApplication.application(directory).run("--logging.level.root=error");
        grpcPort = context.getBean(EngineGrpcServer.class).port();
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        managementPort = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void shouldAnswerOverTls() throws Exception {
        assertThat(get("https", operator.context(), TlsIdentity.PROTOCOL).statusCode())
                .isEqualTo(200);
        assertThat(StatusCommand.run(List.of("127.0.0.1:" + httpPort, "--tls=" + directory.resolve("operator"))))
                .isZero();
    }

    @Test
    void shouldServeMarketDataOverTls() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(operator.context()).build()) {
            WebSocket socket = client.newWebSocketBuilder()
                    .buildAsync(
                            URI.create("wss://127.0.0.1:" + httpPort + "/ws/market-data"), new WebSocket.Listener() {})
                    .get(60, TimeUnit.SECONDS);
            socket.abort();
        }
    }

    @Test
    void shouldRefuseTheWebSocketOfAPageOfAnotherSite() throws Exception {
        assertThat(statusOfWebSocket("https://elsewhere.example")).isEqualTo(403);
        assertThat(statusOfWebSocket("null")).isEqualTo(403);
        assertThat(statusOfWebSocket("https://127.0.0.1:" + httpPort)).isEqualTo(101);
    }

    private static int statusOfWebSocket(String origin) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(operator.context()).build()) {
            client.newWebSocketBuilder()
                    .header("Origin", origin)
                    .buildAsync(
                            URI.create("wss://127.0.0.1:" + httpPort + "/ws/market-data"), new WebSocket.Listener() {})
                    .get(60, TimeUnit.SECONDS)
                    .abort();
            return 101;
        } catch (ExecutionException e) {
            return ((WebSocketHandshakeException) e.getCause()).getResponse().statusCode();
        }
    }

    /** More of them than one address, and one connector, may have. */
    @Test
    void shouldServeACertificateBesideSilentConnectionsOfItsAddress() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 600; i++) {
                silent.add(new Socket("127.0.0.1", httpPort));
                silent.add(new Socket("127.0.0.1", grpcPort));
            }

            assertThat(get("https", operator.context(), TlsIdentity.PROTOCOL).statusCode())
                    .isEqualTo(200);
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            "127.0.0.1", grpcPort, TlsPorts.channel(Optional.of(operator)))
                    .build();
            assertThat(EngineStatusGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(60, TimeUnit.SECONDS)
                            .getEngineStatus(GetEngineStatusRequest.getDefaultInstance()))
                    .isNotNull();
            channel.shutdownNow();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** Its server has written nothing since the handshake, not even the ticket of the session. */
    @Test
    void shouldKeepAConnectionWhoseFirstRequestIsNotAnsweredBesideSilentOnes() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (SSLSocket first = (SSLSocket) operator.context().getSocketFactory().createSocket("127.0.0.1", httpPort)) {
            first.startHandshake();
            first.getOutputStream()
                    .write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 600; i++) {
                silent.add(new Socket("127.0.0.1", httpPort));
            }
            assertThat(get("https", operator.context(), TlsIdentity.PROTOCOL).statusCode())
                    .as("of a connection after all silent ones")
                    .isEqualTo(200);

            first.getOutputStream().write("Connection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ");
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    /** The port ends the silent ones while the handshakes of the others are at each of their steps. */
    @Test
    void shouldAnswerConnectionsThroughTheirHandshakeBesideAFloodOfSilentOnes() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong silentCount = new AtomicLong();
        Thread flood = Thread.ofPlatform().start(() -> openSilentConnections(isOver, silentCount));
        try {
            Facts.await(() -> "more silent connections than places", () -> silentCount.get() > 600);
            for (int i = 0; i < 200; i++) {
                try (SSLSocket socket = throughItsHandshake()) {
                    socket.getOutputStream()
                            .write("GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                            .as("answer %s beside %s silent connections", i, silentCount)
                            .startsWith("HTTP/1.1 200 ");
                }
            }
        } finally {
            isOver.set(true);
            flood.join();
        }
    }

    /** A connection whose hello comes late may be one of those that the port ends; then the client connects again. */
    private static SSLSocket throughItsHandshake() throws Exception {
        return Facts.awaitPresent(() -> "a handshake", () -> {
            SSLSocket socket = (SSLSocket) operator.context().getSocketFactory().createSocket("127.0.0.1", httpPort);
            try {
                socket.startHandshake();
                return Optional.of(socket);
            } catch (IOException e) {
                socket.close();
                return Optional.empty();
            }
        });
    }

    private static void openSilentConnections(AtomicBoolean isOver, AtomicLong count) {
        Deque<Socket> open = new ArrayDeque<>();
        try {
            while (!isOver.get()) {
                open.add(new Socket("127.0.0.1", httpPort));
                count.incrementAndGet();
                if (open.size() > 400) {
                    open.remove().close();
                }
            }
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldNotAnswerAClientWithoutCertificate() throws Exception {
        assertThatThrownBy(() -> get("https", anonymous(), TlsIdentity.PROTOCOL))
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotAnswerAnOlderVersion() {
        assertThatThrownBy(() -> get("https", operator.context(), "TLSv1.2")).isInstanceOf(IOException.class);
    }

    @Test
    void shouldNotAnswerPlainHttp() throws Exception {
        // Tomcat answers that the port speaks TLS, and nothing else.
        assertThat(get("http", operator.context(), TlsIdentity.PROTOCOL).statusCode())
                .isEqualTo(400);
    }

    @Test
    void shouldServeGrpcOverTlsOnly() {
        assertThat(lastExecuted(TlsPorts.channel(Optional.of(operator)))).isNotNegative();
        assertThatThrownBy(() -> lastExecuted(InsecureChannelCredentials.create()))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        failure -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    }

    @Test
    void shouldShowOrdersToTheirBrokerOnly() throws Exception {
        String orderOfBroker1 = "/api/orders/1/17";

        assertThat(statusOf(orderOfBroker1, "")).isEqualTo(401);
        assertThat(statusOf(orderOfBroker1, "no statement")).isEqualTo(401);
        assertThat(statusOf(orderOfBroker1, statement(1, BROKER_2))).isEqualTo(401);
        assertThat(statusOf(orderOfBroker1, statement(2, BROKER_2))).isEqualTo(403);
        assertThat(statusOf("/api/orders?account=7", statement(1, BROKER_1))).isEqualTo(403);
        // It is asked, and has no database and no archive to find the order in.
        assertThat(statusOf(orderOfBroker1, statement(1, BROKER_1))).isNotIn(401, 403);
    }

    /** With two successive digests a caller could try which broker's results lead from one to the other. */
    @Test
    void shouldShowDigestsOfResultsToCallersThatReadEverything() throws Exception {
        node.commit(new TestFlow(3).batch(5));
        Facts.await(
                "the engine has executed it",
                () -> body("/api/blocks", "").contains("\"sequence\":" + node.lastSequence() + ","));

        String member = statement(
                new RoleHolder(TestMarket.CHAIN_ID, Role.MEMBER, 0, 0, Signers.of(TestAdministration.key(0))));

        assertThat(body("/api/blocks", "")).contains("\"hash\"").doesNotContain("resultDigest");
        assertThat(body("/api/blocks", statement(1, BROKER_1)))
                .contains("\"hash\"")
                .doesNotContain("resultDigest");
        assertThat(body("/api/blocks", member)).contains("\"resultDigest\":\"");
    }

    @Test
    void shouldLetItsOperatorAloneSeeAndSetLogLevels() throws Exception {
        String member = statement(
                new RoleHolder(TestMarket.CHAIN_ID, Role.MEMBER, 0, 0, Signers.of(TestAdministration.key(0))));
        String otherMember = statement(
                new RoleHolder(TestMarket.CHAIN_ID, Role.MEMBER, 1, 0, Signers.of(TestAdministration.key(1))));
        for (int port : List.of(httpPort, managementPort)) {
            assertThat(setLogLevel(port, "/actuator/loggers/io.sealbook", "")).isEqualTo(401);
            assertThat(setLogLevel(port, "/actuator/loggers/io.sealbook", statement(1, BROKER_1)))
                    .isEqualTo(403);
            assertThat(setLogLevel(port, "/actuator/loggers/io.sealbook", otherMember))
                    .isEqualTo(403);
            assertThat(setLogLevel(port, "/%61ctuator/loggers/io.sealbook", otherMember))
                    .isEqualTo(403);
            assertThat(setLogLevel(port, "/actuator/health", otherMember)).isEqualTo(403);
            assertThat(get(port, "/actuator/loggers", otherMember)).isEqualTo(403);
        }
        // The actuator is at its own port only.
        assertThat(setLogLevel(httpPort, "/actuator/loggers/io.sealbook", member))
                .isEqualTo(404);
        assertThat(setLogLevel(managementPort, "/actuator/loggers/io.sealbook", member))
                .isEqualTo(204);
        assertThat(get(managementPort, "/actuator/loggers", member)).isEqualTo(200);
    }

    private static int setLogLevel(int port, String path, String statement) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(operator.context()).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"configuredLevel\":\"ERROR\"}"));
            if (!statement.isEmpty()) {
                request.header(RoleStatement.HEADER, statement);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    @Test
    void shouldSendReportsToTheirBrokerOnly() throws Exception {
        assertThat(firstReportOf(1, null)).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(firstReportOf(1, new RoleCredentials(holder(2, BROKER_2)))).isEqualTo(Status.Code.PERMISSION_DENIED);
        // The service itself refuses the position, once the engine has started.
        RoleCredentials own = new RoleCredentials(holder(1, BROKER_1));
        Facts.await(() -> "an answer of the service", () -> firstReportOf(1, own) == Status.Code.OUT_OF_RANGE);
    }

    @Test
    void shouldGiveAndTakeRolesAsTransactionsDo() throws Exception {
        RoleCredentials added = new RoleCredentials(holder(9, Signers.of(TestAdministration.key(9))));
        assertThat(firstReportOf(9, added)).isEqualTo(Status.Code.UNAUTHENTICATED);

        node.commit(
                TestAdministration.batch(1, TestAdministration.setQuota(1, 100_000), TestAdministration.addBroker(9)));
        Facts.await(() -> "the service's answer", () -> firstReportOf(9, added) == Status.Code.OUT_OF_RANGE);

        node.commit(TestAdministration.batch(2, TestAdministration.setBroker(9, BrokerStatus.BROKER_REMOVED)));
        Facts.await(() -> "a refusal", () -> firstReportOf(9, added) == Status.Code.UNAUTHENTICATED);
    }

    @Test
    void shouldShowANewCertificateWithoutARestart() throws Exception {
        issueServer("renewed");

        assertThat(shownAt(httpPort)).isEqualTo("CN=renewed");
        assertThat(shownAt(managementPort)).isEqualTo("CN=renewed");
        assertThat(health(managementPort).body()).contains("\"subject\":\"CN=renewed\"");
    }

    @Test
    void shouldShowWhenItsCertificatesExpire() throws IOException {
        TlsIdentity engine = TlsIdentity.open(serverFiles());

        assertThat(endShown("own")).isEqualTo(engine.ownEnd().getEpochSecond());
        assertThat(endShown("trusted")).isEqualTo(engine.trustedEnd().getEpochSecond());
    }

    private static double endShown(String of) {
        return context.getBean(MeterRegistry.class)
                .get("sealbook.tls.not.after")
                .tag("of", of)
                .gauge()
                .value();
    }

    private static Genesis genesis() {
        Genesis.Builder genesis = TestMarket.genesis(1).toBuilder();
        genesis.getBrokersBuilderList()
                .forEach(broker ->
                        broker.getKeysBuilder(0).setKey(key(broker.getBrokerId() == 1 ? BROKER_1 : BROKER_2)));
        return genesis.build();
    }

    private static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }

    private static RoleHolder holder(int brokerId, Signer signer) {
        return new RoleHolder(TestMarket.CHAIN_ID, Role.BROKER, brokerId, 1, signer);
    }

    private static String statement(int brokerId, Signer signer) {
        return statement(holder(brokerId, signer));
    }

    private static String statement(RoleHolder holder) {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) operator.keys();
        X509Certificate shown =
                keys.getCertificateChain(keys.chooseEngineClientAlias(new String[] {"EC"}, null, null))[0];
        return RoleStatement.make(holder, shown).toText();
    }

    private static int statusOf(String path, String statement) throws Exception {
        return get(httpPort, path, statement);
    }

    private static int get(int port, String path, String statement) throws Exception {
        return ask(port, path, statement).statusCode();
    }

    private static String body(String path, String statement) throws Exception {
        return ask(httpPort, path, statement).body();
    }

    private static HttpResponse<String> ask(int port, String path, String statement) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(operator.context()).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
            if (!statement.isEmpty()) {
                request.header(RoleStatement.HEADER, statement);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static Status.Code firstReportOf(int brokerId, RoleCredentials role) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", grpcPort, TlsPorts.channel(Optional.of(operator)))
                .build();
        try {
            ExecutionReportsGrpc.newBlockingStub(channel)
                    .withCallCredentials(role)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .follow(FollowReportsRequest.newBuilder()
                            .setBrokerId(brokerId)
                            .setFromSequence(-1)
                            .build())
                    .next();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        } finally {
            channel.shutdownNow();
        }
    }

    private static void issueServer(String name) throws IOException {
        Files.writeString(directory.resolve("tls.pass"), name + " passphrase\n");
        Files.setPosixFilePermissions(directory.resolve("tls.pass"), PosixFilePermissions.fromString("rw-------"));
        AUTHORITY.issue(serverFiles(), name, CertificateRole.SERVER, List.of("127.0.0.1"));
    }

    private static TlsSettings serverFiles() {
        return TlsSettings.of(Map.of("tls-key-passphrase-file", "tls.pass")::get, List.of())
                .in(directory);
    }

    private static SSLContext anonymous() throws Exception {
        SSLContext anonymous = SSLContext.getInstance(TlsIdentity.PROTOCOL);
        anonymous.init(null, new TrustManager[] {operator.trust()}, null);
        return anonymous;
    }

    private static HttpResponse<String> health(int port) throws Exception {
        return get(URI.create("https://127.0.0.1:" + port + "/actuator/health"), operator.context(), "TLSv1.3");
    }

    private static String shownAt(int port) throws Exception {
        X509Certificate shown =
                (X509Certificate) health(port).sslSession().orElseThrow().getPeerCertificates()[0];
        return shown.getSubjectX500Principal().getName();
    }

    private static HttpResponse<String> get(String scheme, SSLContext tls, String protocol) throws Exception {
        return get(URI.create(scheme + "://127.0.0.1:" + httpPort + "/api/status"), tls, protocol);
    }

    private static HttpResponse<String> get(URI uri, SSLContext tls, String protocol) throws Exception {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(new String[] {protocol});
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(tls)
                .sslParameters(parameters)
                .build()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static long lastExecuted(ChannelCredentials credentials) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", grpcPort, credentials)
                .build();
        try {
            return EngineStatusGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .getEngineStatus(GetEngineStatusRequest.getDefaultInstance())
                    .getLastExecuted();
        } finally {
            channel.shutdownNow();
        }
    }
}
