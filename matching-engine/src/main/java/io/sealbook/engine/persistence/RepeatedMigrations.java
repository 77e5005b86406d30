package io.sealbook.engine.persistence;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Undoes what an interrupted attempt at a migration has left, before it is repeated. H2 changes tables without a
 * transaction: a process that is killed after the change and before Flyway's note of it would find its own index at
 * each later start, and fail. The scripts stay as they are, because databases have the checksums of them; those from
 * version 4 on can be repeated without this.
 */
public final class RepeatedMigrations extends BaseCallback {
    private static final Map<String, String> UNDO = Map.of(
            "1", "DROP TABLE IF EXISTS orders, refusals, trades, positions, journal_position",
            "2", "ALTER TABLE journal_position DROP COLUMN IF EXISTS engine_mark",
            "3", "DROP INDEX IF EXISTS trades_by_instrument");

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public void handle(Event event, Context context) {
        String version = String.valueOf(context.getMigrationInfo().getVersion());
        if (!UNDO.containsKey(version) || !isH2(context)) {
            return;
        }
        try (Statement statement = context.getConnection().createStatement()) {
            statement.execute(UNDO.get(version));
        } catch (SQLException e) {
            throw new FlywayException("cannot prepare migration " + version, e);
        }
    }

    /** PostgreSQL undoes an interrupted script by itself, and may have tables of others beside ours. */
    private static boolean isH2(Context context) {
        try {
            return context.getConnection()
                    .getMetaData()
                    .getDatabaseProductName()
                    .equals("H2");
        } catch (SQLException e) {
            throw new FlywayException("the database does not name itself", e);
        }
    }
}
