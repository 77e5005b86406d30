package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A driver with a limit of time for an answer, as that of PostgreSQL has, waits for migrations without one. */
class UnlimitedMigrationsTest {
    private final List<Object> limits = new ArrayList<>();

    @Test
    void shouldTakeTheLimitOfTimeFromTheConnectionOfEachMigration() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:unlimited;DB_CLOSE_DELAY=-1");

        int migrations = Flyway.configure()
                .dataSource(new Noted(database))
                .callbacks(new UnlimitedMigrations())
                .load()
                .migrate()
                .migrationsExecuted;

        assertThat(migrations).isPositive();
        assertThat(limits).hasSize(migrations).containsOnly(0);
    }

    /** Notes the limits that its connections are given. */
    private final class Noted extends DelegatingDataSource {
        Noted(JdbcDataSource database) {
            super(database);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("setNetworkTimeout")) {
                            limits.add(arguments[1]);
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
