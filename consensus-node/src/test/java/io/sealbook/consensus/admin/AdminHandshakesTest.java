package io.sealbook.consensus.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sealbook.consensus.config.AdminConfig;
import io.sealbook.consensus.status.Readiness;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.tls.CertificateAuthority;
import io.sealbook.tls.CertificateRole;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets that show no certificate compete with each other at the admin port, not with callers that have one. */
@Timeout(300)
class AdminHandshakesTest {
    private static final String HOST = "127.0.0.1";
    private static final int CONNECTIONS_MAX = 4;
    /** As many as there are places for requests; handshakes have more, also where few files may be open. */
    private static final int SILENT = CONNECTIONS_MAX;

    private static final int NEVER_MS = 3_600_000;

    @TempDir
    private Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private AdminServer server;
    private TlsIdentity operator;

    @BeforeEach
    void start() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("members", Duration.ofDays(1), Clock.systemUTC());
        server = new AdminServer(
                new AdminConfig(HOST, 0, CONNECTIONS_MAX, NEVER_MS, AdminConfig.RATES_DEFAULT),
                Optional.of(identity(authority, "node", CertificateRole.SERVER)),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                () -> new Readiness(true, ""),
                NodeStatus::getDefaultInstance,
                OperatorGate.ofNobody());
        operator = identity(authority, "operator", CertificateRole.CLIENT);
        server.start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void shouldFinishAHandshakeThatSilentSocketsCameAfter() throws Exception {
        Socket honest = connect();
        awaitOpen(1);
        for (int i = 0; i < SILENT; i++) {
            connect();
        }
        awaitOpen(1 + SILENT);

        assertThat(live(tls(honest))).isTrue();
    }

    @Test
    void shouldKeepAConnectionThatHasShownItsCertificate() throws Exception {
        SSLSocket scraper = tls(connect());
        assertThat(live(scraper)).isTrue();
        for (int i = 0; i < SILENT; i++) {
            connect();
        }
        awaitOpen(1 + SILENT);

        assertThat(live(scraper)).isTrue();
    }

    @Test
    void shouldCloseTheOldestOfACertificateThatHasEveryPlace() throws Exception {
        List<SSLSocket> own = new ArrayList<>();
        for (int i = 0; i <= CONNECTIONS_MAX; i++) {
            SSLSocket socket = tls(connect());
            assertThat(live(socket)).isTrue();
            own.add(socket);
        }

        assertThat(own.getFirst().getInputStream().read()).isEqualTo(-1);
        for (SSLSocket younger : own.subList(1, own.size())) {
            assertThat(live(younger)).isTrue();
        }
    }

    private TlsIdentity identity(CertificateAuthority authority, String name, CertificateRole role) throws IOException {
        TlsSettings files = TlsSettings.ofFilesIn(directory.resolve(name));
        authority.issue(files, name, role, role == CertificateRole.SERVER ? List.of(HOST) : List.of());
        return TlsIdentity.open(files);
    }

    private void awaitOpen(int count) throws Exception {
        Facts.await(() -> count + " open, now " + server.connectionCount(), () -> server.connectionCount() == count);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(HOST, server.port());
        sockets.add(socket);
        return socket;
    }

    private SSLSocket tls(Socket connected) throws IOException {
        SSLSocket socket = (SSLSocket)
                operator.context().getSocketFactory().createSocket(connected, HOST, connected.getPort(), true);
        socket.startHandshake();
        return socket;
    }

    private static boolean live(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET /health/live HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("live\n")) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                return false;
            }
            answer.append((char) next);
        }
        return answer.toString().startsWith("HTTP/1.1 200 ");
    }
}
