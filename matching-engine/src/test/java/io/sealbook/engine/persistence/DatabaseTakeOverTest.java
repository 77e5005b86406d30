package io.sealbook.engine.persistence;

import static io.sealbook.engine.persistence.TestDatabase.assertSameRows;
import static io.sealbook.engine.persistence.TestDatabase.books;
import static io.sealbook.engine.persistence.TestDatabase.database;
import static io.sealbook.engine.persistence.TestDatabase.positions;
import static io.sealbook.engine.persistence.TestDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.facts.Facts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database on a server outlives the engine's directory: what another execution put out must not stay in it. */
@Timeout(300)
class DatabaseTakeOverTest {
    private static final int BLOCKS = 20;

    @TempDir
    Path directory;

    /** As after "delete archive/, queue/ and engine/": the chain has other blocks under the same numbers. */
    @Test
    void shouldFillTheDatabaseAnewAfterTheDirectoryWasDeleted() throws Exception {
        JdbcTemplate jdbc = database("other_blocks");
        JdbcTemplate fresh = database("right_blocks");
        try (TestEngine wrong = engine("wrong", 21, BLOCKS / 2)) {
            follow(wrong, jdbc, "wrong");
        }

        try (TestEngine right = engine("right", 22, BLOCKS)) {
            follow(right, fresh, "right");
            follow(right, jdbc, "right");
        }

        assertSameRows(jdbc, fresh);
    }

    /** As after "delete queue/ and engine/" with another build: the same blocks have other results. */
    @Test
    void shouldFillTheDatabaseAnewAfterTheEnginesFilesWereDeleted() throws Exception {
        JdbcTemplate jdbc = database("other_results");
        JdbcTemplate fresh = database("right_results");
        try (TestEngine engine = engine("engine", 21, BLOCKS)) {
            follow(engine, fresh, "engine");
            follow(engine, jdbc, "engine");
            jdbc.update("UPDATE trades SET quantity = quantity + 1");
            jdbc.update("UPDATE positions SET bought_qty = bought_qty + 1");
            Files.delete(marks("engine").own());

            follow(engine, jdbc, "engine");
        }

        assertSameRows(jdbc, fresh);
    }

    @Test
    void shouldKeepADatabaseOfAnEarlierBuild() throws Exception {
        JdbcTemplate jdbc = database("earlier");
        try (TestEngine engine = engine("engine", 21, BLOCKS)) {
            follow(engine, jdbc, "engine");
            jdbc.update("UPDATE journal_position SET engine_mark = NULL");
            Files.delete(marks("engine").own());
            jdbc.update("UPDATE trades SET quantity = 77");

            follow(engine, jdbc, "engine");

            assertThat(rows(jdbc, "trades"))
                    .isNotEmpty()
                    .allMatch(trade -> trade.get("QUANTITY").equals(77L));
            assertThat(books(jdbc).mark()).isPresent().isEqualTo(marks("engine").read());
        }
    }

    /** Two engines must not empty one database in turns. */
    @Test
    void shouldLeaveADatabaseAloneThatAnotherEngineHasTakenOver() throws Exception {
        JdbcTemplate jdbc = database("taken");
        TestNode node = node("engine");
        TestFlow flow = new TestFlow(21);
        node.commitFlow(flow, BLOCKS, 3, 10);
        try (TestEngine engine = new TestEngine(directory.resolve("engine"), Map.of())) {
            engine.await(BLOCKS);
            try (DatabaseFollower follower = follower(engine, jdbc, "engine")) {
                follower.start();
                awaitPersisted(engine, BLOCKS);
                books(jdbc).claim("another");
                jdbc.update("UPDATE journal_position SET block_sequence = 3");
                node.commitFlow(flow, 1, 3, 10);

                Facts.await("the database is refused", () -> isTakenOver(engine));
            }
        }

        assertThat(rows(jdbc, "trades")).isNotEmpty();
        assertThat(books(jdbc).mark()).contains("another");
        assertThat(books(jdbc).position(TestMarket.CHAIN_ID)).isEqualTo(3);
    }

    /** An engine with a wrong address is stopped while it clears: the right one finds the mark of the other. */
    @Test
    void shouldFillTheDatabaseAnewAfterATakeOverThatWasInterrupted() throws Exception {
        JdbcTemplate jdbc = database("interrupted");
        JdbcTemplate fresh = database("uninterrupted");
        JdbcTemplate failing = before(jdbc, "DELETE FROM positions", () -> {
            throw new IOException("no answer");
        });
        try (TestEngine engine = engine("engine", 21, BLOCKS);
                TestEngine other = engine("other", 22, BLOCKS)) {
            follow(engine, fresh, "engine");
            follow(engine, jdbc, "engine");
            try (DatabaseFollower follower = follower(other, failing, "other")) {
                follower.start();
                Facts.await(
                        "the clearing fails",
                        () -> other.monitor.databaseFailure().isPresent());
            }
            assertThat(rows(jdbc, "orders")).isEmpty();
            assertThat(positions(jdbc)).isNotEmpty();

            follow(engine, jdbc, "engine");
        }

        assertSameRows(jdbc, fresh);
    }

    /** So may the one that clears itself: the positions that are left are of no block. */
    @Test
    void shouldGoOnWithItsOwnTakeOverThatWasInterrupted() throws Exception {
        JdbcTemplate jdbc = database("continued");
        JdbcTemplate fresh = database("at_once");
        AtomicInteger failures = new AtomicInteger();
        JdbcTemplate failing = before(jdbc, "DELETE FROM positions", () -> {
            if (failures.getAndIncrement() == 0) {
                throw new IOException("no answer");
            }
        });
        try (TestEngine engine = engine("engine", 21, BLOCKS);
                TestEngine other = engine("other", 22, BLOCKS)) {
            follow(other, fresh, "other");
            follow(engine, jdbc, "engine");

            follow(other, failing, "other");
        }

        assertThat(failures).hasValueGreaterThan(1);
        assertSameRows(jdbc, fresh);
    }

    /** The first engine runs on. What it would write while the other clears is deleted in part, or not at all. */
    @Test
    void shouldWriteNothingWhileAnotherEngineTakesTheDatabaseOver() throws Exception {
        JdbcTemplate jdbc = database("contended");
        JdbcTemplate fresh = database("uncontended");
        TestNode node = node("engine");
        TestFlow flow = new TestFlow(21);
        node.commitFlow(flow, BLOCKS, 3, 10);
        try (TestEngine engine = new TestEngine(directory.resolve("engine"), Map.of());
                TestEngine other = engine("other", 22, BLOCKS)) {
            engine.await(BLOCKS);
            follow(other, fresh, "other");
            Files.delete(marks("other").own());
            try (DatabaseFollower running = follower(engine, jdbc, "engine")) {
                running.start();
                awaitPersisted(engine, BLOCKS);
                AtomicBoolean isContended = new AtomicBoolean();
                JdbcTemplate watched = before(jdbc, "DELETE FROM positions", () -> {
                    if (isContended.compareAndSet(false, true)) {
                        node.commitFlow(flow, 1, 3, 10);
                        Facts.await(
                                "the first engine is refused or writes",
                                () -> isTakenOver(engine) || engine.monitor.persistedBlock() > BLOCKS);
                    }
                });

                follow(other, watched, "other");
            }
        }

        assertSameRows(jdbc, fresh);
    }

    /** Returns the same database, which does something before each statement that begins so. */
    private static JdbcTemplate before(JdbcTemplate jdbc, String beginning, Executable action) {
        return new JdbcTemplate(jdbc.getDataSource()) {
            @Override
            public int update(String sql, Object... arguments) {
                if (sql.startsWith(beginning)) {
                    try {
                        action.execute();
                    } catch (Throwable failure) {
                        throw new IllegalStateException(failure);
                    }
                }
                return super.update(sql, arguments);
            }
        };
    }

    private TestNode node(String name) {
        Path root = directory.resolve(name);
        return new TestNode(root, TestMarket.write(root, 1).digest());
    }

    /** Returns an engine that has executed blocks. */
    private TestEngine engine(String name, int seed, int blocks) throws Exception {
        node(name).commitFlow(new TestFlow(seed), blocks, 3, 10);
        TestEngine engine = new TestEngine(directory.resolve(name), Map.of());
        engine.await(blocks);
        return engine;
    }

    private DatabaseMarks marks(String name) {
        Path files = directory.resolve(name).resolve("engine");
        return new DatabaseMarks(files.resolve("stale-database"), files.resolve("database-mark"));
    }

    private DatabaseFollower follower(TestEngine engine, JdbcTemplate jdbc, String name) {
        return new DatabaseFollower(
                () -> books(jdbc),
                engine.journal,
                engine.reports,
                engine.monitor,
                new EngineProperties.Database(true, 100_000, 1),
                TestMarket.CHAIN_ID,
                marks(name));
    }

    /** Follows up to the last block. */
    private void follow(TestEngine engine, JdbcTemplate jdbc, String name) throws Exception {
        engine.monitor.onPersisted(0);
        try (DatabaseFollower follower = follower(engine, jdbc, name)) {
            follower.start();
            awaitPersisted(engine, engine.journal.lastBlock());
        }
    }

    private static void awaitPersisted(TestEngine engine, long block) throws Exception {
        Facts.await(
                () -> "block " + block + " is persisted, failure " + engine.monitor.databaseFailure(),
                () -> engine.monitor.persistedBlock() >= block);
    }

    private static boolean isTakenOver(TestEngine engine) {
        return engine.monitor
                .databaseFailure()
                .filter(failure -> failure.getMessage().contains("another engine has taken it over"))
                .isPresent();
    }
}
