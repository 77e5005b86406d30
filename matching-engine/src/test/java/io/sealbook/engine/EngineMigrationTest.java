package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** An engine after an update, while the migration of its tables makes an index over the rows of years. */
@Timeout(300)
class EngineMigrationTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    /** Ends a request that waits for the migration, and nothing else. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    /** Names no order. */
    private static final long UNKNOWN = 1L << 40;
    /** Of a cancel of that one. */
    private static final long REFUSED = UNKNOWN + 1;

    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    @TempDir
    private Path directory;

    private TestNode node;
    private ConfigurableApplicationContext context;
    private volatile boolean hasStarted;

    @BeforeEach
    void start() {
        node = TestNode.withArchive(
                directory,
                TestMarket.write(
                                directory,
                                1,
                                "server.port=0",
                                "sealbook.engine.grpc-port=0",
                                "sealbook.engine.exit-on-failure=false")
                        .digest());
        TestFlow flow = new TestFlow(3);
        node.commitFlow(flow, 2, 2, 10);
        node.commit(flow.batch(1, List.of(Entry.cancel(REFUSED, UNKNOWN, 10, 1, Side.BUY))));
        SpringApplication application = EngineApplication.application(directory);
        application.addInitializers(
                made -> ((GenericApplicationContext) made).registerBean("long", Callback.class, this::longMigration));
        context = application.run("--logging.level.root=error");
        hasStarted = true;
    }

    /** As with a large snapshot, the database is opened after the start: Spring lets threads create beans before. */
    private Callback longMigration() {
        if (!hasStarted) {
            throw new IllegalStateException("the application has not started");
        }
        return new LongMigration();
    }

    /** A migration that ends when the test says so. */
    private final class LongMigration extends BaseCallback {
        @Override
        public boolean supports(Event event, Context migration) {
            return event == Event.BEFORE_EACH_MIGRATE;
        }

        @Override
        public void handle(Event event, Context migration) {
            hasBegun.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @AfterEach
    void stop() {
        mayGoOn.countDown();
        context.close();
    }

    @Test
    void shouldAnswerWhileTheTablesAreMigrated() throws Exception {
        hasBegun.await();

        assertThat(ask("/actuator/health").statusCode()).isEqualTo(200);
        assertThat(ask("/actuator/prometheus").body()).contains("sealbook_engine_database_lag_blocks");
        assertThat(ask("/api/status").statusCode()).isEqualTo(200);
        assertThat(ask("/api/trades?instrument=1").statusCode()).isEqualTo(200);
        HttpResponse<String> account = ask("/api/orders?account=10");
        assertThat(account.statusCode()).isEqualTo(503);
        assertThat(account.body()).contains("the database does not answer");
        ReportStores reports = context.getBean(ReportStores.class);
        Facts.await("all blocks have their reports", () -> reports.lastBlock() == node.lastSequence());
        for (long clOrdId : new long[] {UNKNOWN, REFUSED}) {
            HttpResponse<String> order = ask("/api/orders/1/" + clOrdId);
            assertThat(order.statusCode()).as(order.body()).isEqualTo(503);
            assertThat(order.headers().firstValue("Retry-After")).contains("1");
        }

        mayGoOn.countDown();
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        Facts.await("the database has all blocks", () -> monitor.persistedBlock() == node.lastSequence());
        assertThat(ask("/api/orders?account=10").statusCode()).isEqualTo(200);
        assertThat(ask("/api/orders/1/" + UNKNOWN).statusCode()).isEqualTo(404);
        assertThat(ask("/api/orders/1/" + REFUSED).body()).contains("REJECTED");
    }

    private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(ANSWER_MAX)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
