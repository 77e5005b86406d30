package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/** A question reads the rows that it returns, however many others there are. */
class QuestionsByIndexTest {
    private static final int ROWS = 10_000;
    private static final int LIMIT = 100;
    private static final int CROWDED = 1;
    private static final int RARE = 2;
    private static final Pattern SCAN_COUNT = Pattern.compile("scanCount: (\\d+)");

    @Test
    void shouldReadNoTradeOfAnotherInstrument() {
        Explained jdbc = new Explained(TestDatabase.database("trades_by_index").getDataSource());
        jdbc.update(
                "INSERT INTO trades SELECT x, x, 0, CASE WHEN x = ? THEN ? ELSE ? END, 1, 1, x, '1', 1, 2, 1, 2, 1, 2"
                        + " FROM SYSTEM_RANGE(1, ?)",
                ROWS / 2,
                RARE,
                CROWDED,
                ROWS);
        TradeTable trades = new TradeTable(jdbc);

        assertThat(trades.ofInstrument(CROWDED, Long.MAX_VALUE, LIMIT, ROWS))
                .hasSize(LIMIT)
                .isSortedAccordingTo((one, other) -> Long.compare(other.tradeId(), one.tradeId()));
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
        assertThat(trades.ofInstrument(RARE, Long.MAX_VALUE, LIMIT, ROWS)).hasSize(1);
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
        assertThat(trades.ofInstrument(RARE + 1, Long.MAX_VALUE, LIMIT, ROWS)).isEmpty();
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
    }

    @Test
    void shouldReadNoOrderOfAnotherAccount() {
        Explained jdbc = new Explained(TestDatabase.database("orders_by_index").getDataSource());
        jdbc.update(
                "INSERT INTO orders SELECT x, 1, x, CASE WHEN x = ? THEN ? ELSE ? END, 1, '1', '2', '1', 1, 1, 1, 0, 0,"
                        + " '0', x, x, 0, x FROM SYSTEM_RANGE(1, ?)",
                ROWS / 2,
                RARE,
                CROWDED,
                ROWS);
        OrderTable orders = new OrderTable(jdbc);

        assertThat(orders.ofAccount(CROWDED, LIMIT))
                .hasSize(LIMIT)
                .isSortedAccordingTo((one, other) -> Long.compare(other.orderId(), one.orderId()));
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
        assertThat(orders.ofAccount(RARE, LIMIT)).hasSize(1);
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
        assertThat(orders.ofAccount(RARE + 1, LIMIT)).isEmpty();
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(LIMIT);
    }

    /** A broker may use a ClOrdID again once its order has ended. */
    @Test
    void shouldReadOneOrderOfThoseThatHadAClOrdId() {
        Explained jdbc =
                new Explained(TestDatabase.database("orders_by_cl_ord_id").getDataSource());
        jdbc.update(
                "INSERT INTO orders SELECT x, 1, 7, 1, 1, '1', '2', '1', 1, 1, 1, 0, 0, '4', x, CASE WHEN x = ? THEN ?"
                        + " ELSE x END, 0, x FROM SYSTEM_RANGE(1, ?)",
                ROWS / 2,
                ROWS + 1,
                ROWS);
        OrderTable orders = new OrderTable(jdbc);

        assertThat(orders.find(1, 7))
                .hasValueSatisfying(order -> assertThat(order.orderId()).isEqualTo(ROWS / 2));
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(1 + 1);
        assertThat(orders.find(2, 7)).isEmpty();
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(1 + 1);
        assertThat(orders.find(1, 8)).isEmpty();
        assertThat(jdbc.scanCount()).isLessThanOrEqualTo(1 + 1);
    }

    /** Runs each query twice: once for what the database reads for it. */
    private static final class Explained extends JdbcTemplate {
        private final List<Long> scanCounts = new ArrayList<>();

        Explained(DataSource source) {
            super(source);
        }

        @Override
        public <T> List<T> query(String sql, RowMapper<T> mapper, Object... arguments) {
            String plan = super.queryForObject("EXPLAIN ANALYZE " + sql, String.class, arguments);
            scanCounts.clear();
            Matcher counts = SCAN_COUNT.matcher(plan);
            while (counts.find()) {
                scanCounts.add(Long.parseLong(counts.group(1)));
            }
            assertThat(scanCounts).as(plan).isNotEmpty();
            return super.query(sql, mapper, arguments);
        }

        /** Returns the number of rows that the database read for the last query. */
        long scanCount() {
            return scanCounts.stream().mapToLong(Long::longValue).sum();
        }
    }
}
