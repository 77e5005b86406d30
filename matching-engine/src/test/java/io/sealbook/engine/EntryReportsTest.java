package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An order's entries with their reports, from an engine that has executed them. */
@Timeout(300)
class EntryReportsTest {
    private static final int REPORTS_MAX = 4_096;
    private static final int SELLS_PER_PRICE = 3_000;
    private static final int SELLS_PER_BATCH = 250;
    private static final long LOW_PRICE = 9_000;
    private static final long HIGH_PRICE = 9_100;

    @TempDir
    private Path directory;

    private final TestFlow flow = new TestFlow(1);
    private TestNode node;

    @BeforeEach
    void makeNode() {
        node = TestNode.withArchive(
                directory,
                TestMarket.write(
                                directory,
                                1,
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.database.enabled=false",
                                "sealbook.engine.exit-on-failure=false")
                        .digest());
    }

    @Test
    void shouldShowNoMoreReportsOfAllEntriesThanTheirLimit() throws Exception {
        sell(LOW_PRICE, 10_000);
        sell(HIGH_PRICE, 20_000);
        node.commit(flow.batch(1, List.of(Entry.limit(71, 100, 1, Side.BUY, LOW_PRICE, 3 * SELLS_PER_PRICE))));
        node.commit(flow.batch(1, List.of(Entry.replace(72, 71, 100, 1, Side.BUY, HIGH_PRICE, 3 * SELLS_PER_PRICE))));

        JsonNode entries = history().path("entries");

        assertThat(entries).hasSize(2);
        // Each sell is one fill, and the order itself is accepted.
        assertThat(entries.get(0).path("reports")).hasSize(1 + SELLS_PER_PRICE);
        assertThat(entries.get(1).path("reports")).hasSize(REPORTS_MAX - 1 - SELLS_PER_PRICE);
    }

    /** The broker enters order 71, and again while it is open: the second one is refused. */
    @Test
    void shouldGoOnPastAnEntryThatWasRefused() throws Exception {
        Entry order = Entry.limit(71, 100, 1, Side.BUY, LOW_PRICE, 10);
        node.commit(flow.batch(1, List.of(Entry.limit(71, 100, 1, Side.BUY, LOW_PRICE, 1))));
        node.commit(flow.batch(2, List.of(Entry.limit(10_000, 200, 1, Side.SELL, LOW_PRICE, 1))));
        node.commit(flow.batch(1, List.of(order)));
        long accepted = node.lastSequence();
        node.commit(flow.batch(1, List.of(order)));
        node.commit(flow.batch(2, List.of(Entry.limit(10_001, 200, 1, Side.SELL, LOW_PRICE, 4))));

        JsonNode history = history();

        JsonNode entries = history.path("entries");
        assertThat(entries).hasSize(2);
        assertThat(entries.get(0).path("block").asLong()).isEqualTo(accepted);
        assertThat(entries.get(0).path("reports").get(0).path("execType").asString())
                .isEqualTo("NEW");
        assertThat(entries.get(1).path("reports").get(0).path("rejectReason").asString())
                .isEqualTo("DUPLICATE_CL_ORD_ID");
        assertThat(history.path("searchedFrom").asLong())
                .as("the filled order before has the same ClOrdID")
                .isEqualTo(accepted);
        assertThat(history.path("isComplete").asBoolean()).isTrue();
    }

    private void sell(long price, int firstClOrdId) {
        List<Entry> sells = new ArrayList<>();
        for (int i = 0; i < SELLS_PER_PRICE; i++) {
            sells.add(Entry.limit(firstClOrdId + i, 200, 1, Side.SELL, price, 1));
            if (sells.size() == SELLS_PER_BATCH) {
                node.commit(flow.batch(2, sells));
                sells.clear();
            }
        }
    }

    /** Returns the answer of an engine that has executed all blocks. */
    private JsonNode history() throws Exception {
        try (ConfigurableApplicationContext context =
                EngineApplication.application(directory).run("--logging.level.root=error")) {
            EngineMonitor monitor = context.getBean(EngineMonitor.class);
            Facts.await("blocks executed", () -> monitor.lastExecuted() == node.lastSequence());
            return history(context);
        }
    }

    private static JsonNode history(ConfigurableApplicationContext context) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port")
                + "/api/orders/1/71/history");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> response =
                    client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(response.statusCode()).isEqualTo(200);
            return new JsonMapper().readTree(response.body());
        }
    }
}
