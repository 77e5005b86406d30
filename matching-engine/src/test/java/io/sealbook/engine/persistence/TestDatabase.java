package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Databases in memory, and what is in them. */
public final class TestDatabase {
    static final int CLEARED_ROWS = 50;

    private TestDatabase() {}

    public static JdbcTemplate database(String name) {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        Flyway.configure().dataSource(source).load().migrate();
        return new JdbcTemplate(source);
    }

    public static BooksOfRecord books(JdbcTemplate jdbc) {
        DataSource source = jdbc.getDataSource();
        TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(source));
        return new BooksOfRecord(jdbc, transactions, CLEARED_ROWS);
    }

    static List<Map<String, Object>> rows(JdbcTemplate jdbc, String table) {
        return jdbc.queryForList("SELECT * FROM " + table + " ORDER BY 1, 2");
    }

    static List<Map<String, Object>> positions(JdbcTemplate jdbc) {
        return jdbc.queryForList("SELECT * FROM positions ORDER BY account_id, instrument_id");
    }

    static void assertSameRows(JdbcTemplate jdbc, JdbcTemplate expected) {
        for (String table : List.of("orders", "trades", "refusals")) {
            assertThat(rows(jdbc, table)).isNotEmpty().isEqualTo(rows(expected, table));
        }
        assertThat(positions(jdbc)).isNotEmpty().isEqualTo(positions(expected));
    }

    static long sum(JdbcTemplate jdbc, String query) {
        return jdbc.queryForObject(query, Long.class);
    }
}
