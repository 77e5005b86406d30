package io.sealbook.engine.persistence;

import static io.sealbook.engine.persistence.TestDatabase.books;
import static io.sealbook.engine.persistence.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** The books on a PostgreSQL server have the rows that they have on H2. */
@Timeout(300)
class PostgresBooksTest {
    private static final int BLOCKS = 20;

    private static PostgresServer server;

    @TempDir
    Path directory;

    @BeforeAll
    static void startServer() throws Exception {
        server = new PostgresServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    /** With an order that is replaced, one that is refused without an action, and questions. */
    @Test
    void shouldHoldTheRowsThatH2Holds() throws Exception {
        JdbcTemplate h2 = TestDatabase.database("as_postgresql");
        JdbcTemplate postgres = server.database("as_h2");
        TestNode node = node("engine");
        TestFlow flow = new TestFlow(21);
        node.commitFlow(flow, BLOCKS, 3, 10);
        Entry withoutAction =
                new Entry(70_001, 0, 101, 1, Action.NULL_VAL, Side.BUY, OrdType.LIMIT, TimeInForce.DAY, 10_000, 5);
        node.commit(flow.batch(1, List.of(Entry.limit(70_000, 101, 1, Side.BUY, 9_000, 7), withoutAction)));
        node.commit(flow.batch(1, List.of(Entry.replace(70_002, 70_000, 101, 1, Side.BUY, 9_001, 6))));
        try (TestEngine engine = new TestEngine(directory.resolve("engine"), Map.of())) {
            engine.await(BLOCKS + 2);
            follow(engine, h2, "engine", 100_000);
            follow(engine, postgres, "engine", 50);
        }

        assertSameRows(postgres, h2);
        BooksOfRecord books = books(postgres);
        assertThat(books.refusals(BLOCKS + 1, 10))
                .isEqualTo(books(h2).refusals(BLOCKS + 1, 10))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.action()).isEqualTo(Action.NULL_VAL));
        assertThat(books.order(1, 70_002)).isPresent().isEqualTo(books(h2).order(1, 70_002));
        assertThat(books.ordersOfAccount(101, 5)).hasSize(5).isEqualTo(books(h2).ordersOfAccount(101, 5));
        assertThat(books.trades(1, Long.MAX_VALUE, 5, 0))
                .hasSize(5)
                .isEqualTo(books(h2).trades(1, Long.MAX_VALUE, 5, 0));
        assertThat(books.positions(101)).isEqualTo(books(h2).positions(101));
    }

    @Test
    void shouldFillTheDatabaseAnewAfterATakeOverThatWasInterrupted() throws Exception {
        JdbcTemplate fresh = TestDatabase.database("fresh_for_postgresql");
        JdbcTemplate postgres = server.database("taken_over");
        AtomicBoolean isInterrupted = new AtomicBoolean();
        JdbcTemplate interrupted = new JdbcTemplate(postgres.getDataSource()) {
            @Override
            public int update(String sql, Object... arguments) {
                if (sql.startsWith("DELETE FROM positions") && isInterrupted.compareAndSet(false, true)) {
                    throw new IllegalStateException("no answer");
                }
                return super.update(sql, arguments);
            }
        };
        node("engine").commitFlow(new TestFlow(21), BLOCKS, 3, 10);
        node("other").commitFlow(new TestFlow(22), BLOCKS, 3, 10);
        try (TestEngine engine = new TestEngine(directory.resolve("engine"), Map.of());
                TestEngine other = new TestEngine(directory.resolve("other"), Map.of())) {
            engine.await(BLOCKS);
            other.await(BLOCKS);
            follow(other, fresh, "other", 100_000);
            Files.delete(marks("other").own());
            follow(engine, postgres, "engine", 100_000);

            follow(other, interrupted, "other", 100_000);
        }

        assertThat(isInterrupted).isTrue();
        assertSameRows(postgres, fresh);
    }

    /** By position: the names of columns are in another case. */
    private static void assertSameRows(JdbcTemplate postgres, JdbcTemplate h2) {
        for (String table : List.of("orders", "trades", "refusals", "positions")) {
            assertThat(values(postgres, table)).as(table).isNotEmpty().isEqualTo(values(h2, table));
        }
    }

    private static List<List<Object>> values(JdbcTemplate jdbc, String table) {
        return rows(jdbc, table).stream().map(row -> List.copyOf(row.values())).toList();
    }

    private TestNode node(String name) {
        Path root = directory.resolve(name);
        return new TestNode(root, TestMarket.write(root, 1).digest());
    }

    private DatabaseMarks marks(String name) {
        Path files = directory.resolve(name).resolve("engine");
        return new DatabaseMarks(files.resolve("stale-database"), files.resolve("database-mark"));
    }

    /** Follows up to the last block. */
    private void follow(TestEngine engine, JdbcTemplate jdbc, String name, int messagesMax) throws Exception {
        engine.monitor.onPersisted(0);
        try (DatabaseFollower follower = new DatabaseFollower(
                () -> books(jdbc),
                engine.journal,
                engine.reports,
                engine.monitor,
                new EngineProperties.Database(true, messagesMax, 1),
                TestMarket.CHAIN_ID,
                marks(name))) {
            follower.start();
            Facts.await(
                    () -> "all blocks are persisted, failure " + engine.monitor.databaseFailure(),
                    () -> engine.monitor.persistedBlock() >= engine.journal.lastBlock());
        }
    }
}
