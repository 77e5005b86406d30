package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An engine that keeps no database has the trades of its memory. */
@Timeout(300)
class TradesWithoutDatabaseTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private final TestFlow flow = new TestFlow(3);
    private TestNode node;
    private long clOrdId = 1;

    @BeforeEach
    void writeDirectory() {
        node = new TestNode(
                directory,
                TestMarket.write(
                                directory,
                                1,
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.exit-on-failure=false",
                                "sealbook.engine.database.enabled=false")
                        .digest());
    }

    @Test
    void shouldAnswerBeforeTheFirstTradeAndAfterAStartFromASnapshot() throws Exception {
        try (ConfigurableApplicationContext engine = start()) {
            assertThat(trades(engine)).isEmpty();
            trade(engine, 11);
            assertThat(trades(engine)).hasSize(1);
        }

        try (ConfigurableApplicationContext engine = start()) {
            EngineMonitor monitor = engine.getBean(EngineMonitor.class);
            Facts.await("the engine goes on", () -> monitor.lastExecuted() == node.lastSequence());
            assertThat(monitor.restoredTo()).isEqualTo(node.lastSequence());
            assertThat(trades(engine)).isEmpty();

            trade(engine, 12);
            JsonNode trades = trades(engine);
            assertThat(trades).hasSize(1);
            assertThat(trades.get(0).path("quantity").asLong()).isEqualTo(12);
        }
    }

    private ConfigurableApplicationContext start() {
        return EngineApplication.application(directory).run("--logging.level.root=warn");
    }

    /** Commits a trade of instrument 1, and returns once it is on the tape. */
    private void trade(ConfigurableApplicationContext engine, long quantity) throws Exception {
        node.commit(
                flow.batch(1, List.of(Entry.limit(clOrdId++, 7, 1, Side.BUY, 5_000, quantity))),
                flow.batch(2, List.of(Entry.limit(clOrdId++, 21, 1, Side.SELL, 5_000, quantity))));
        Facts.await("the trade is known", () -> trades(engine).size() > 0);
    }

    private JsonNode trades(ConfigurableApplicationContext engine) throws IOException, InterruptedException {
        int port = engine.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        HttpResponse<String> response = HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/trades?instrument=1"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new JsonMapper().readTree(response.body());
    }
}
