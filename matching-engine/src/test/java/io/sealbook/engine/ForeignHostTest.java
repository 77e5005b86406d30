package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.Stranger;
import io.sealbook.engine.fixture.TestMarket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** A page whose site's name has come to mean 127.0.0.1 (DNS rebinding) asks an engine without TLS. */
@Timeout(300)
class ForeignHostTest {
    @TempDir
    static Path directory;

    private static ConfigurableApplicationContext context;
    private static int port;
    private static int managementPort;

    @BeforeAll
    static void start() {
        TestMarket.write(
                directory,
                1,
                "server.port=0",
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.enabled=false");
        context = EngineApplication.application(directory).run("--logging.level.root=error");
        port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        managementPort = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:80", "localhost.evil.example", "1.2.3.4.evil.example", ""})
    void shouldRefuseRequestsForTheSite(String host) throws Exception {
        assertThat(status(port, "/api/orders", host)).isEqualTo(421);
        assertThat(status(port, "/", host)).isEqualTo(421);
        assertThat(status(managementPort, "/actuator/health", host)).isEqualTo(421);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "10.1.2.3"})
    void shouldAnswerRequestsForThisMachine(String host) throws Exception {
        assertThat(status(port, "/api/orders", host)).isEqualTo(200);
        assertThat(status(managementPort, "/actuator/health", host)).isNotEqualTo(421);
    }

    /** The origin is that of the host. */
    @Test
    void shouldRefuseTheWebSocketOfTheSite() throws Exception {
        assertThat(statusOfWebSocket("evil.example")).isEqualTo(421);
        assertThat(statusOfWebSocket("127.0.0.1:" + port)).isEqualTo(101);
    }

    private static int status(int at, String path, String host) throws Exception {
        return firstLine(at, "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    private static int statusOfWebSocket(String host) throws Exception {
        return firstLine(
                port,
                "GET /ws/market-data HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host
                        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
    }

    private static int firstLine(int at, String request) throws Exception {
        try (Stranger page = new Stranger("127.0.0.1")) {
            Socket socket = page.send(at, request);
            String head = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            assertThat(head).startsWith("HTTP/1.1 ");
            return Integer.parseInt(head.substring(9));
        }
    }
}
