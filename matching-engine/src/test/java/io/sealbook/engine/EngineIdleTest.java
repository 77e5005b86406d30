package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.Stranger;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.rpc.EngineGrpcServer;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A connection that has fallen silent is closed at each port, whatever it has sent before. */
@Timeout(300)
class EngineIdleTest {
    private static final String NEVER = "2000000000";
    private static final String HTTP_2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";
    private static final String UPGRADE = """
            GET /ws/market-data HTTP/1.1\r
            Host: 127.0.0.1\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
            \r
            """;

    @TempDir
    static Path directory;

    private static ConfigurableApplicationContext context;
    private static int grpcPort;
    private static int httpPort;

    private final Stranger stranger = new Stranger("127.0.0.2");

    @BeforeAll
    static void start() {
        TestMarket.write(
                directory,
                1,
                "server.port=0",
                "server.tomcat.connection-timeout=100ms",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.grpc.idle-ms=" + NEVER,
                "sealbook.engine.grpc.keep-alive-ms=200",
                "sealbook.engine.http.ping-ms=200",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.enabled=false");
        context = EngineApplication.application(directory).run("--logging.level.root=error");
        grpcPort = context.getBean(EngineGrpcServer.class).port();
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @AfterEach
    void close() throws Exception {
        stranger.close();
    }

    @Test
    void shouldCloseGrpcConnectionThatNeverAnswersAPing() throws Exception {
        Socket socket = stranger.send(grpcPort, HTTP_2);

        Stranger.awaitEnd(socket);
    }

    @Test
    void shouldCloseGrpcConnectionThatSendsNothing() throws Exception {
        Socket socket = stranger.send(grpcPort, "");

        Stranger.awaitEnd(socket);
    }

    @Test
    void shouldCloseConnectionOfHalfARequest() throws Exception {
        Socket socket = stranger.send(httpPort, "GET /api/status HTTP/1.1\r\nHost:");

        assertThat(Stranger.awaitEnd(socket)).doesNotContain("200");
    }

    @Test
    void shouldCloseWebSocketThatNeverAnswersAPing() throws Exception {
        Socket socket = stranger.send(httpPort, UPGRADE);

        assertThat(Stranger.awaitEnd(socket)).startsWith("HTTP/1.1 101");
    }
}
