package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.engine.console.MarketDataSessions;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BestPrice;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A certificate is revoked while its holder has a connection open at each port of an engine. */
@Timeout(300)
class EngineRevocationTest {
    private static final String HOST = "127.0.0.1";
    private static final byte[] REQUEST =
            "HEAD /api/status HTTP/1.1\r\nHost: engine\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String END_OF_HEADERS = "\r\n\r\n";

    private final CertificateAuthority authority =
            new CertificateAuthority("members", Duration.ofDays(30), Clock.systemUTC());

    @TempDir
    Path directory;

    private ConfigurableApplicationContext context;
    private TlsIdentity broker1;
    private TlsIdentity broker2;
    private int grpcPort;
    private int httpPort;

    @BeforeEach
    void start() throws Exception {
        TestMarket.write(
                directory,
                TestMarket.genesis(1),
                "server.port=0",
                "sealbook.engine.tls=required",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.enabled=false");
        issue("tls", CertificateRole.SERVER);
        broker1 = issue("broker1", CertificateRole.CLIENT);
        broker2 = issue("broker2", CertificateRole.CLIENT);
        context = EngineApplication.application(directory).run("--logging.level.root=error");
        grpcPort = context.getBean(EngineGrpcServer.class).port();
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void shouldEndTheHttpConnectionOfARevokedCertificate() throws Exception {
        try (SSLSocket revoked = connect(broker1);
                SSLSocket other = connect(broker2)) {
            assertThat(ask(revoked)).startsWith("HTTP/1.1 200");
            assertThat(ask(other)).startsWith("HTTP/1.1 200");

            revokeBroker1();

            awaitEnd(revoked);
            assertThat(ask(other)).startsWith("HTTP/1.1 200");
            assertThatIOException().isThrownBy(() -> {
                try (SSLSocket again = connect(broker1)) {
                    ask(again);
                }
            });
        }
    }

    @Test
    void shouldEndTheWebSocketOfARevokedCertificate() throws Exception {
        End end = new End();
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(broker1.context()).build()) {
            client.newWebSocketBuilder()
                    .buildAsync(URI.create("wss://" + HOST + ":" + httpPort + "/ws/market-data"), end)
                    .get(60, TimeUnit.SECONDS);

            revokeBroker1();

            assertThat(end.seen.get(120, TimeUnit.SECONDS)).isNotNull();
            MarketDataSessions sessions = context.getBean(MarketDataSessions.class);
            Facts.await(() -> "the engine to forget the session", () -> sessions.count() == 0);
        }
    }

    @Test
    void shouldEndTheStreamOfARevokedCertificate() throws Exception {
        ManagedChannel channel = channel();
        try {
            Iterator<BestPrice> prices =
                    MarketDataGrpc.newBlockingStub(channel).followBestPrices(MarketDataRequest.getDefaultInstance());
            prices.next();

            revokeBroker1();

            assertThatThrownBy(() -> prices.forEachRemaining(price -> {}))
                    .satisfies(EngineRevocationTest::isUnavailable);
        } finally {
            channel.shutdownNow();
        }
        ManagedChannel again = channel();
        try {
            assertThatThrownBy(() -> EngineStatusGrpc.newBlockingStub(again)
                            .getEngineStatus(GetEngineStatusRequest.getDefaultInstance()))
                    .satisfies(EngineRevocationTest::isUnavailable);
        } finally {
            again.shutdownNow();
        }
    }

    private ManagedChannel channel() {
        return NettyChannelBuilder.forAddress(HOST, grpcPort, TlsPorts.channel(Optional.of(broker1)))
                .build();
    }

    private static void isUnavailable(Throwable failure) {
        assertThat(failure).isInstanceOf(StatusRuntimeException.class);
        assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    }

    private TlsIdentity issue(String name, CertificateRole role) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, List.of(HOST));
        return TlsIdentity.open(files);
    }

    private void revokeBroker1() throws IOException {
        X509ExtendedKeyManager keys = (X509ExtendedKeyManager) broker1.keys();
        X509Certificate shown =
                keys.getCertificateChain(keys.chooseEngineClientAlias(new String[] {"EC"}, null, null))[0];
        Files.writeString(directory.resolve("tls/revoked.pem"), authority.revocationList(List.of(shown)));
    }

    private SSLSocket connect(TlsIdentity client) throws IOException {
        return (SSLSocket) client.context().getSocketFactory().createSocket(HOST, httpPort);
    }

    /** Sends a request on an open connection; returns the headers of the answer, which has no body. */
    private static String ask(SSLSocket connection) throws IOException {
        connection.getOutputStream().write(REQUEST);
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        while (!answer.toString(StandardCharsets.US_ASCII).endsWith(END_OF_HEADERS)) {
            int next = connection.getInputStream().read();
            if (next < 0) {
                throw new EOFException("the engine has ended the connection");
            }
            answer.write(next);
        }
        return answer.toString(StandardCharsets.US_ASCII);
    }

    /** Reads until the engine has ended the connection. */
    private static void awaitEnd(SSLSocket connection) {
        try {
            while (connection.getInputStream().read() >= 0) {
                // Nothing is expected.
            }
        } catch (IOException e) {
            // Ended without a farewell.
        }
    }

    private static final class End implements WebSocket.Listener {
        private final CompletableFuture<String> seen = new CompletableFuture<>();

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            seen.complete("closed: " + status + " " + reason);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            seen.complete("failed: " + failure);
        }
    }
}
