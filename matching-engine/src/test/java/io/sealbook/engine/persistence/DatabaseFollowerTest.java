package io.sealbook.engine.persistence;

import static io.sealbook.engine.persistence.TestDatabase.CLEARED_ROWS;
import static io.sealbook.engine.persistence.TestDatabase.assertSameRows;
import static io.sealbook.engine.persistence.TestDatabase.books;
import static io.sealbook.engine.persistence.TestDatabase.database;
import static io.sealbook.engine.persistence.TestDatabase.positions;
import static io.sealbook.engine.persistence.TestDatabase.rows;
import static io.sealbook.engine.persistence.TestDatabase.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.ledger.BrokerLedger;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.report.Position;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.Genesis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

@Timeout(300)
class DatabaseFollowerTest {
    private static final long PRICE = 1 << 20;
    private static final int LIVE_ORDERS = 8;
    private static final int LARGE_BLOCKS = LIVE_ORDERS + 2;

    @TempDir
    Path directory;

    private TestNode node;

    @BeforeEach
    void writeBlocks() {
        GenesisFile genesis = TestMarket.write(directory, 1);
        node = new TestNode(directory, genesis.digest());
        node.commitFlow(new TestFlow(21), 40, 3, 10);
    }

    @Test
    void shouldHoldTheSameRowsHoweverOftenItIsStopped() throws Exception {
        JdbcTemplate once = database("once");
        JdbcTemplate often = database("often");
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, once, 100_000, 40);
            for (int block = 5; block <= 40; block += 5) {
                follow(engine, often, 50, block);
            }
        }
        // The engine starts again from nothing but the queue: it executes every block again, the rows must not double.
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, often, 100_000, 40);
        }

        assertSameRows(often, once);
    }

    @Test
    void shouldKeepBooksThatAddUp() throws Exception {
        JdbcTemplate jdbc = database("sums");
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, jdbc, 500, 40);

            assertThat(sum(jdbc, "SELECT SUM(quantity) FROM trades"))
                    .isPositive()
                    .isEqualTo(sum(jdbc, "SELECT SUM(bought_qty) FROM positions"))
                    .isEqualTo(sum(jdbc, "SELECT SUM(sold_qty) FROM positions"));
            assertThat(2 * sum(jdbc, "SELECT SUM(price * quantity) FROM trades"))
                    .isEqualTo(sum(jdbc, "SELECT SUM(cum_value) FROM orders"));
            assertThat(sum(jdbc, "SELECT COUNT(*) FROM refusals"))
                    .isEqualTo(engine.monitor.totals().rejected());
            assertThat(sum(jdbc, "SELECT COUNT(*) FROM trades"))
                    .isEqualTo(engine.monitor.totals().trades());
        }
    }

    @Test
    void shouldGoOnWhenDatabaseWasAway() throws Exception {
        JdbcTemplate jdbc = database("away");
        BooksOfRecord books = books(jdbc);
        int[] attempts = {0};
        try (TestEngine engine = engine()) {
            engine.await(40);
            DatabaseFollower follower = new DatabaseFollower(
                    () -> {
                        if (attempts[0]++ == 0) {
                            throw new IllegalStateException("connection refused");
                        }
                        return books;
                    },
                    engine.journal,
                    engine.reports,
                    engine.monitor,
                    new EngineProperties.Database(true, 1_000, 1),
                    TestMarket.CHAIN_ID,
                    marks());
            follower.start();
            awaitPersisted(engine, 40);
            follower.close();

            assertThat(attempts[0]).isEqualTo(2);
            assertThat(engine.monitor.databaseFailure()).isEmpty();
            assertThat(engine.monitor.failure()).isEmpty();
        }
    }

    /** An error of the virtual machine is no exception: the thread must not end silently. */
    @Test
    void shouldGoOnAfterTheHeapWasFull() throws Exception {
        BooksOfRecord books = books(database("full_heap"));
        List<Optional<Throwable>> shown = new ArrayList<>();
        try (TestEngine engine = engine()) {
            engine.await(40);
            DatabaseFollower follower = new DatabaseFollower(
                    () -> {
                        shown.add(engine.monitor.databaseFailure());
                        if (shown.size() == 1) {
                            throw new OutOfMemoryError("Java heap space");
                        }
                        return books;
                    },
                    engine.journal,
                    engine.reports,
                    engine.monitor,
                    new EngineProperties.Database(true, 1_000, 1),
                    TestMarket.CHAIN_ID,
                    marks());
            follower.start();
            awaitPersisted(engine, 40);
            follower.close();

            assertThat(shown).hasSize(2);
            assertThat(shown.getLast()).containsInstanceOf(OutOfMemoryError.class);
            assertThat(engine.monitor.databaseFailure()).isEmpty();
        }
    }

    @Test
    void shouldEndAlthoughTheDatabaseDoesNotAnswer() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (TestEngine engine = engine()) {
            engine.await(40);
            DatabaseFollower follower = new DatabaseFollower(
                    () -> {
                        asked.countDown();
                        try {
                            answer.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        throw new IllegalStateException("no answer");
                    },
                    engine.journal,
                    engine.reports,
                    engine.monitor,
                    new EngineProperties.Database(true, 1_000, 1),
                    TestMarket.CHAIN_ID,
                    marks());
            follower.start();
            asked.await();

            follower.close();
        } finally {
            answer.countDown();
        }
    }

    /** Fills that the genesis file admits, until no column can hold their sum: as in the ledger, at any pace. */
    @Test
    void shouldStayAtTheLargestSum() throws Exception {
        Path large = directory.resolve("large");
        Genesis.Builder market = TestMarket.genesis(1).toBuilder();
        market.getParametersBuilder().setLiveOrderCountMax(LIVE_ORDERS);
        market.getInstrumentsBuilder(0).setPriceMin(1).setPriceMax(1).setQuantityMax(Long.MAX_VALUE / LIVE_ORDERS);
        market.getInstrumentsBuilder(1).setPriceMin(PRICE).setPriceMax(PRICE).setQuantityMax(Long.MAX_VALUE / PRICE);
        TestNode largeNode =
                new TestNode(large, TestMarket.write(large, market.build()).digest());
        TestFlow flow = new TestFlow(1);
        for (int block = 1; block <= LARGE_BLOCKS; block++) {
            largeNode.commit(
                    flow.batch(1, largeOrders(block, 101, Side.BUY)),
                    flow.batch(2, largeOrders(block, 201, Side.SELL)));
        }

        JdbcTemplate once = database("large_once");
        JdbcTemplate often = database("large_often");
        try (TestEngine engine = new TestEngine(large, Map.of())) {
            engine.await(LARGE_BLOCKS);
            follow(engine, once, 100_000, LARGE_BLOCKS);
            for (int block = 1; block <= LARGE_BLOCKS; block++) {
                follow(engine, often, 1, block);
            }
            BrokerLedger ledger =
                    new BrokerLedger(engine.reports.of(1).orElseThrow(), new LedgerRoom(() -> Long.MAX_VALUE));
            ledger.advance(LARGE_BLOCKS);

            assertThat(ledger.positions(101))
                    .containsEntry(1, new Position(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0))
                    .containsEntry(2, new Position(LARGE_BLOCKS * (Long.MAX_VALUE / PRICE), Long.MAX_VALUE, 0, 0));
            for (PositionRecord position : books(once).positions(101).positions()) {
                assertThat(ledger.positions(101))
                        .containsEntry(
                                (int) position.instrumentId(),
                                new Position(
                                        position.boughtQty(),
                                        position.boughtValue(),
                                        position.soldQty(),
                                        position.soldValue()));
            }
        }
        assertThat(positions(once)).hasSize(4).isEqualTo(positions(often));
    }

    private static List<TestFlow.Entry> largeOrders(int block, int account, Side side) {
        return List.of(
                TestFlow.Entry.limit(2 * block, account, 1, side, 1, Long.MAX_VALUE / LIVE_ORDERS),
                TestFlow.Entry.limit(2 * block + 1, account, 2, side, PRICE, Long.MAX_VALUE / PRICE));
    }

    /** An older order takes the ClOrdID of a newer one that is filled, and stays beyond its day. */
    @Test
    void shouldKeepWhatAReplaceChanges() throws Exception {
        Path replaced = directory.resolve("replaced");
        TestNode node = new TestNode(replaced, TestMarket.write(replaced, 1).digest());
        TestFlow flow = new TestFlow(1);
        TestFlow.Entry day =
                new TestFlow.Entry(1, 0, 101, 1, Action.NEW, Side.BUY, OrdType.LIMIT, TimeInForce.DAY, 10_000, 5);
        node.commit(flow.batch(1, List.of(day, TestFlow.Entry.limit(2, 101, 1, Side.BUY, 10_001, 7))));
        node.commit(flow.batch(2, List.of(TestFlow.Entry.limit(1, 201, 1, Side.SELL, 10_001, 7))));
        node.commit(flow.batch(1, List.of(TestFlow.Entry.replace(2, 1, 101, 1, Side.BUY, 9_999, 6))));

        JdbcTemplate jdbc = database("replaced");
        try (TestEngine engine = new TestEngine(replaced, Map.of())) {
            engine.await(3);
            follow(engine, jdbc, 1, 3);
        }

        OrderRecord order = books(jdbc).order(1, 2).orElseThrow();
        assertThat(order.ordStatus()).isEqualTo(OrdStatus.NEW);
        assertThat(order.timeInForce()).isEqualTo(TimeInForce.GOOD_TILL_CANCEL);
        assertThat(order.price()).isEqualTo(9_999);
        assertThat(order.leavesQty()).isEqualTo(6);
    }

    /** As H2 does when its process is killed: what it had committed last is gone, and the journal was deleted. */
    @Test
    void shouldTakeFromTheReportsWhatTheJournalHasNoMore() throws Exception {
        JdbcTemplate once = database("in_order");
        JdbcTemplate behind = database("behind");
        JdbcTemplate fresh = database("fresh");
        Path gap = directory.resolve("gap");
        TestNode gapNode = new TestNode(gap, TestMarket.write(gap, 1).digest());
        TestFlow flow = new TestFlow(21);
        gapNode.commitFlow(flow, 10, 3, 10);
        try (TestEngine engine = new TestEngine(gap, Map.of("sealbook.engine.journal.segment-bytes", "1"))) {
            engine.await(10);
            follow(engine, behind, 1, 10);
            gapNode.commitFlow(flow, 30, 3, 10);
            engine.await(40);
            follow(engine, once, 100_000, 40);
            engine.journal.pruneBefore(30);
            assertThat(engine.journal.firstBlock()).isEqualTo(31);

            follow(engine, behind, 1, 40);
            follow(engine, fresh, 100, 40);
        }

        for (JdbcTemplate filled : List.of(behind, fresh)) {
            for (String table : List.of("orders", "trades", "refusals")) {
                assertThat(rows(filled, table)).isNotEmpty().isEqualTo(rows(once, table));
            }
            assertThat(positions(filled)).isEqualTo(positions(once));
        }
    }

    /** A database that can be opened may still refuse what it is to take. */
    @Test
    void shouldShowAFailureUntilWhatHasFailedIsWritten() throws Exception {
        JdbcTemplate jdbc = database("refusing");
        List<Optional<Throwable>> shown = new CopyOnWriteArrayList<>();
        try (TestEngine engine = engine()) {
            engine.await(40);
            JdbcTemplate refusing = new JdbcTemplate(jdbc.getDataSource()) {
                @Override
                public int update(String sql, Object... arguments) {
                    if (sql.startsWith("UPDATE journal_position") && shown.size() < 3) {
                        shown.add(engine.monitor.databaseFailure());
                        throw new IllegalStateException("no answer");
                    }
                    return super.update(sql, arguments);
                }
            };
            DatabaseFollower follower = follower(engine, refusing, 1_000);
            follower.start();
            awaitPersisted(engine, 40);
            follower.close();

            assertThat(shown.getFirst()).isEmpty();
            assertThat(shown.subList(1, 3))
                    .allSatisfy(failure -> assertThat(failure).isPresent());
            assertThat(engine.monitor.databaseFailure()).isEmpty();
        }
    }

    /** One that took nothing more and is up to date, as after a restart of its server. */
    @Test
    void shouldShowNoFailureOfADatabaseThatIsUpToDate() throws Exception {
        JdbcTemplate jdbc = database("up_to_date");
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, jdbc, 1_000, 40);
            engine.monitor.onDatabaseFailure(new IllegalStateException("connection refused"));
            DatabaseFollower follower = follower(engine, jdbc, 1_000);
            follower.start();

            Facts.await(
                    "the failure is over",
                    () -> engine.monitor.databaseFailure().isEmpty());
            follower.close();
        }
    }

    @Test
    void shouldNameTheWayOutIfTheReportsAreDeletedToo() throws Exception {
        JdbcTemplate jdbc = database("lost");
        try (TestEngine engine =
                engine("sealbook.engine.journal.segment-bytes", "1", "sealbook.engine.reports.per-segment", "4")) {
            engine.await(40);
            engine.journal.pruneBefore(30);
            SortedMap<Integer, Long> needed = new TreeMap<>();
            engine.reports.all().forEach(store -> needed.put(store.brokerId(), store.last()));
            engine.reports.pruneBefore(20, needed);

            DatabaseFollower follower = follower(engine, jdbc, 100_000);
            follower.start();
            Facts.await(
                    "the database fails", () -> engine.monitor.databaseFailure().isPresent());
            follower.close();

            assertThat(engine.monitor.databaseFailure().orElseThrow())
                    .hasMessageStartingWith("database: is at block 0, the journal begins with block 31, and reports of"
                            + " block 1 are no longer kept")
                    .hasMessageContaining("delete queue/ and engine/ (not archive/)");
        }
        assertThat(rows(jdbc, "orders")).isEmpty();
    }

    /** What a wrong engine had put out stays nowhere. */
    @Test
    void shouldFillTheDatabaseAnewAfterARebuild() throws Exception {
        JdbcTemplate jdbc = database("anew");
        JdbcTemplate once = database("undisturbed");
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, once, 1_000_000, 40);
            follow(engine, jdbc, 1_000_000, 40);
            jdbc.update("UPDATE orders SET cum_value = cum_value + 1");
            jdbc.update("UPDATE journal_position SET block_sequence = 70");
            Files.write(stale(), new byte[0]);

            follow(engine, jdbc, 1_000_000, 40);
        }

        assertThat(rows(jdbc, "orders")).isEqualTo(rows(once, "orders"));
        assertThat(rows(jdbc, "trades")).isEqualTo(rows(once, "trades"));
        assertThat(positions(jdbc)).isEqualTo(positions(once));
        assertThat(stale()).doesNotExist();
    }

    /** Each attempt deletes some rows, so that the tables of a slow server are empty in the end. */
    @Test
    void shouldGoOnWithAClearingThatFailed() throws Exception {
        JdbcTemplate jdbc = database("cleared");
        try (TestEngine engine = engine()) {
            engine.await(40);
            follow(engine, jdbc, 1_000_000, 40);
        }
        int orders = rows(jdbc, "orders").size();
        int portions = orders / CLEARED_ROWS;
        assertThat(portions).isPositive();
        String mark = marks().read().orElseThrow();

        books(jdbc).claim(mark);
        assertThatThrownBy(() -> books(failingAfter(jdbc, 0)).clear(mark)).hasMessage("no answer");
        assertThat(sum(jdbc, "SELECT block_sequence FROM journal_position"))
                .as("the position is first")
                .isEqualTo(BooksOfRecord.CLEARING);
        assertThat(rows(jdbc, "orders")).hasSize(orders);

        assertThatThrownBy(() -> books(failingAfter(jdbc, portions)).clear(mark))
                .hasMessage("no answer");
        assertThat(rows(jdbc, "orders")).hasSize(orders - portions * CLEARED_ROWS);
        books(failingAfter(jdbc, Integer.MAX_VALUE)).clear(mark);

        for (String table : List.of("orders", "trades", "refusals", "positions")) {
            assertThat(rows(jdbc, table)).isEmpty();
        }
        assertThat(books(jdbc).position(TestMarket.CHAIN_ID)).isZero();
    }

    /** Returns the same database, which deletes no more after some statements. */
    private static JdbcTemplate failingAfter(JdbcTemplate jdbc, int deletions) {
        AtomicInteger left = new AtomicInteger(deletions);
        return new JdbcTemplate(jdbc.getDataSource()) {
            @Override
            public int update(String sql, Object... arguments) {
                fail(sql);
                return super.update(sql, arguments);
            }

            @Override
            public int update(String sql) {
                fail(sql);
                return super.update(sql);
            }

            private void fail(String sql) {
                if (sql.startsWith("DELETE") && left.getAndDecrement() == 0) {
                    throw new IllegalStateException("no answer");
                }
            }
        };
    }

    private Path stale() {
        return directory.resolve("stale-database");
    }

    private DatabaseMarks marks() {
        return new DatabaseMarks(stale(), directory.resolve("database-mark"));
    }

    private TestEngine engine(String... settings) {
        Map<String, String> all = new HashMap<>();
        all.put("sealbook.engine.directory", directory.toString());
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return new TestEngine(directory, all);
    }

    /** Follows at least up to a block, then stops wherever it is. */
    private void follow(TestEngine engine, JdbcTemplate jdbc, int messagesMax, long atLeast) throws Exception {
        DatabaseFollower follower = follower(engine, jdbc, messagesMax);
        engine.monitor.onPersisted(0);
        follower.start();
        awaitPersisted(engine, atLeast);
        follower.close();
    }

    private DatabaseFollower follower(TestEngine engine, JdbcTemplate jdbc, int messagesMax) {
        return new DatabaseFollower(
                () -> books(jdbc),
                engine.journal,
                engine.reports,
                engine.monitor,
                new EngineProperties.Database(true, messagesMax, 1),
                TestMarket.CHAIN_ID,
                marks());
    }

    private static void awaitPersisted(TestEngine engine, long block) throws Exception {
        Facts.await(
                () -> "block " + block + " is persisted, failure " + engine.monitor.databaseFailure(),
                () -> engine.monitor.persistedBlock() >= block);
    }
}
