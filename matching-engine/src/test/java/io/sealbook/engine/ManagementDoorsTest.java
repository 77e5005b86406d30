package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.Stranger;
import io.sealbook.engine.fixture.TestMarket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A stranger at the separate port of the actuator takes the share of its address, and no more. */
@Timeout(300)
class ManagementDoorsTest {
    private static final String STRANGER = "127.0.1.201";
    private static final String OPERATOR = "127.0.0.3";
    /** That answer requests, of Tomcat. */
    private static final int THREADS = 32;

    @TempDir
    private Path directory;

    /** Each is answered without the rest of its body, which Tomcat would wait for on a thread. */
    @Test
    void shouldAnswerWhileAStrangerSendsBodiesSlowly() throws Exception {
        TestMarket.write(
                directory,
                1,
                "server.port=0",
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                // Strangers are not helped away by the clock.
                "server.tomcat.connection-timeout=1h",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.enabled=false");
        try (ConfigurableApplicationContext context =
                        EngineApplication.application(directory).run("--logging.level.root=error");
                Stranger stranger = new Stranger(STRANGER);
                Stranger operator = new Stranger(OPERATOR)) {
            int port = context.getEnvironment().getRequiredProperty("local.management.port", Integer.class);
            List<Socket> slow = new ArrayList<>();
            for (String line : List.of("GET /actuator/info", "POST /actuator/loggers/a", "PUT /x", "GET /%zz")) {
                for (String length :
                        List.of("Content-Length: 100000\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n9\r\nx")) {
                    for (int i = 0; i < 6; i++) {
                        slow.add(stranger.send(port, line + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + length));
                    }
                }
            }

            assertThat(slow).hasSizeGreaterThan(THREADS);
            HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/info"))
                    .build();
            assertThat(operator.http()
                            .sendAsync(health, HttpResponse.BodyHandlers.discarding())
                            .get(2, TimeUnit.MINUTES)
                            .statusCode())
                    .isEqualTo(200);
            for (Socket socket : slow) {
                assertThat(Stranger.awaitEnd(socket)).startsWith("HTTP/1.1 ").containsIgnoringCase("Connection: close");
            }
        }
    }
}
