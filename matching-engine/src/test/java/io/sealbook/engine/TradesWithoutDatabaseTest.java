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
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An engine that keeps no database, or whose database lags, has the trades of its memory. */
@Timeout(300)
class TradesWithoutDatabaseTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    private final TestFlow flow = new TestFlow(3);
    private TestNode node;
    private long clOrdId = 1;

    private void writeDirectory(String... settings) {
        String[] all = Stream.concat(
                        Stream.of(
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.exit-on-failure=false"),
                        Stream.of(settings))
                .toArray(String[]::new);
        node = new TestNode(directory, TestMarket.write(directory, 1, all).digest());
    }

    @Test
    void shouldAnswerBeforeTheFirstTradeAndAfterAStartFromASnapshot() throws Exception {
        writeDirectory("sealbook.engine.database.enabled=false");
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

    /** What lies between the memory and the database must not be missing from the middle of an answer. */
    @Test
    void shouldAnswerFromMemoryWhileTheDatabaseLacksATradeBeforeIt() throws Exception {
        writeDirectory("sealbook.engine.market-data.tape-trades=2");
        try (ConfigurableApplicationContext engine = start()) {
            trade(engine, 11);
            awaitDatabase(engine);
            try (Connection held = engine.getBean(DataSource.class).getConnection();
                    Statement statement = held.createStatement()) {
                held.setAutoCommit(false);
                statement.executeUpdate("UPDATE journal_position SET chain_id = chain_id");
                for (long quantity = 12; quantity <= 14; quantity++) {
                    trade(engine, quantity);
                }

                assertThat(quantities(engine)).containsExactly(14L, 13L);
                held.rollback();
            }
            awaitDatabase(engine);

            assertThat(quantities(engine)).containsExactly(14L, 13L, 12L, 11L);
        }
    }

    private void awaitDatabase(ConfigurableApplicationContext engine) throws Exception {
        EngineMonitor monitor = engine.getBean(EngineMonitor.class);
        Facts.await("the database has all blocks", () -> monitor.persistedBlock() == node.lastSequence());
    }

    private List<Long> quantities(ConfigurableApplicationContext engine) throws Exception {
        List<Long> quantities = new ArrayList<>();
        trades(engine).forEach(trade -> quantities.add(trade.path("quantity").asLong()));
        return quantities;
    }

    private ConfigurableApplicationContext start() {
        return EngineApplication.application(directory).run("--logging.level.root=warn");
    }

    /** Commits a trade of instrument 1, and returns once it is on the tape. */
    private void trade(ConfigurableApplicationContext engine, long quantity) throws Exception {
        node.commit(
                flow.batch(1, List.of(Entry.limit(clOrdId++, 7, 1, Side.BUY, 5_000, quantity))),
                flow.batch(2, List.of(Entry.limit(clOrdId++, 21, 1, Side.SELL, 5_000, quantity))));
        Facts.await(
                "the trade is known",
                () -> trades(engine).path(0).path("quantity").asLong() == quantity);
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
