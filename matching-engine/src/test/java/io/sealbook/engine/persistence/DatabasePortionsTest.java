package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.ReleaseWatch;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ParameterizedPreparedStatementSetter;

/** Blocks with more messages than are written together: the heap must not hold the rows of all of them. */
@Timeout(300)
class DatabasePortionsTest {
    private static final int BLOCKS = 3;
    private static final int ORDERS = 1_000;
    private static final int PORTION = 10;

    @TempDir
    Path directory;

    @BeforeEach
    void writeLargeBlocks() {
        TestNode node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        node.commitFlow(new TestFlow(22), BLOCKS, 10, ORDERS / 10);
    }

    @Test
    void shouldWriteALargeBlockInPortions() throws Exception {
        JdbcTemplate once = TestDatabase.database("whole");
        JdbcTemplate portions = TestDatabase.database("portions");
        PortionWatch watch = new PortionWatch(portions.getDataSource(), Integer.MAX_VALUE);
        try (TestEngine engine = engine()) {
            engine.await(BLOCKS);
            follow(engine, once, 1_000_000);
            follow(engine, watch, PORTION);
        }

        assertThat(watch.rowsMax).isBetween(2, PORTION);
        TestDatabase.assertSameRows(portions, once);
    }

    /** The portions before the failure are not there when the block is applied again. */
    @Test
    void shouldApplyABlockOnceAlthoughAPortionFails() throws Exception {
        JdbcTemplate once = TestDatabase.database("sound");
        JdbcTemplate failing = TestDatabase.database("failing");
        PortionWatch watch = new PortionWatch(failing.getDataSource(), 7);
        try (TestEngine engine = engine()) {
            engine.await(BLOCKS);
            follow(engine, once, 1_000_000);
            follow(engine, watch, PORTION);
        }

        assertThat(watch.left).isNegative();
        TestDatabase.assertSameRows(failing, once);
    }

    /** What the journal has no more is read as it is written. */
    @Test
    void shouldHoldNoReportsOfABlockThatComesFromTheStores() throws Exception {
        ReleaseWatch watch = new ReleaseWatch(ORDERS / 2);
        try (TestEngine engine = engine()) {
            engine.await(BLOCKS);

            int messages = new ReportedBlocks(engine.reports, 0, BLOCKS).next(new OutputConsumer() {
                @Override
                public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
                    watch.accept(bytes);
                }
            });

            assertThat(messages).isGreaterThan(ORDERS);
        }
        assertThat(watch.isPassed()).isTrue();
    }

    /** Shows the largest number of orders that are written together, and fails once, after some portions. */
    private static final class PortionWatch extends JdbcTemplate {
        private int left;
        private int rowsMax;

        PortionWatch(DataSource source, int portions) {
            super(source);
            left = portions;
        }

        @Override
        public <T> int[][] batchUpdate(
                String sql, Collection<T> rows, int batchSize, ParameterizedPreparedStatementSetter<T> setter) {
            rowsMax = Math.max(rowsMax, rows.size());
            if (sql.startsWith("INSERT INTO trades") && left-- == 0) {
                throw new IllegalStateException("connection reset");
            }
            return super.batchUpdate(sql, rows, batchSize, setter);
        }
    }

    private TestEngine engine() {
        return new TestEngine(directory, Map.of());
    }

    private void follow(TestEngine engine, JdbcTemplate jdbc, int messagesMax) throws Exception {
        try (DatabaseFollower follower = new DatabaseFollower(
                () -> TestDatabase.books(jdbc),
                engine.journal,
                engine.reports,
                engine.monitor,
                new EngineProperties.Database(true, messagesMax, 1),
                TestMarket.CHAIN_ID,
                new DatabaseMarks(directory.resolve("stale-database"), directory.resolve("database-mark")))) {
            engine.monitor.onPersisted(0);
            follower.start();
            Facts.await(
                    () -> "all blocks are persisted, failure " + engine.monitor.databaseFailure(),
                    () -> engine.monitor.persistedBlock() == BLOCKS);
        }
    }
}
