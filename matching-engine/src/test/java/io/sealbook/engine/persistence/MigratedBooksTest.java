package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;

/** Migrations of H2, which changes tables without a transaction. */
class MigratedBooksTest {
    private static final String INDEX = "CREATE INDEX trades_by_instrument ON trades (instrument_id, trade_id)";
    private static final long LAST_VERSION = 4;

    private final JdbcDataSource source = new JdbcDataSource();
    private final JdbcTemplate jdbc = new JdbcTemplate(source);

    @BeforeEach
    void name(TestInfo test) {
        source.setURL("jdbc:h2:mem:" + test.getDisplayName().hashCode() + ";DB_CLOSE_DELAY=-1");
    }

    /** The process was killed after the change of a table, and before the note that it was made. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | ALTER TABLE journal_position ADD COLUMN engine_mark VARCHAR(36)",
                "2 | " + INDEX,
                "3 | DROP INDEX orders_by_cl_ord_id",
            })
    void shouldRepeatAMigrationThatWasInterrupted(String lastNoted, String change) {
        configuration().target(lastNoted).load().migrate();
        jdbc.execute(change);

        open();

        assertThat(versions()).isEqualTo(LAST_VERSION);
    }

    /** So was the first one, after its first tables. */
    @Test
    void shouldRepeatTheFirstMigrationThatWasInterrupted() {
        configuration().target("1").load().migrate();
        jdbc.execute("DELETE FROM \"flyway_schema_history\" WHERE \"version\" = '1'");
        jdbc.execute("DROP TABLE positions, journal_position");

        open();

        assertThat(versions()).isEqualTo(LAST_VERSION);
    }

    @Test
    void shouldRepeatAMigrationThatFailed() {
        configuration().target("2").load().migrate();
        jdbc.execute("ALTER TABLE trades RENAME TO away");
        assertThatExceptionOfType(FlywayException.class).isThrownBy(this::open);
        jdbc.execute("ALTER TABLE away RENAME TO trades");

        open();

        assertThat(versions()).isEqualTo(LAST_VERSION);
    }

    /** So does a database at which an earlier build fails at each start. */
    @Test
    void shouldRepeatAMigrationThatFailedBecauseItHadBeenInterrupted() {
        configuration().target("2").load().migrate();
        jdbc.execute(INDEX);
        assertThatExceptionOfType(FlywayException.class)
                .isThrownBy(() -> configuration().load().migrate());

        open();

        assertThat(versions()).isEqualTo(LAST_VERSION);
    }

    private FluentConfiguration configuration() {
        return Flyway.configure().dataSource(source);
    }

    /** Opens as an engine does. */
    private void open() {
        Callback[] callbacks = {new UnlimitedMigrations(), new RepeatedMigrations()};
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("flyway", configuration().callbacks(callbacks).load());
        beans.addBean("books", TestDatabase.books(jdbc));
        MigratedBooks books =
                new MigratedBooks(beans.getBeanProvider(Flyway.class), beans.getBeanProvider(BooksOfRecord.class));

        assertThat(books.open().position(1)).isZero();
        assertThat(books.opened()).isPresent();
    }

    private long versions() {
        return TestDatabase.sum(
                jdbc, "SELECT COUNT(*) FROM \"flyway_schema_history\" WHERE \"success\" AND \"version\" IS NOT NULL");
    }
}
