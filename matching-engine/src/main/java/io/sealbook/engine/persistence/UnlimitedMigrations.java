package io.sealbook.engine.persistence;

import java.sql.SQLException;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;

/**
 * Waits as long as the server takes for a migration. An index over the rows of years takes longer than the profile
 * {@code postgresql} allows for a statement, and each attempt would begin anew.
 */
public final class UnlimitedMigrations extends BaseCallback {
    private static final int NO_LIMIT = 0;

    @Override
    public boolean supports(Event event, Context context) {
        return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public void handle(Event event, Context context) {
        try {
            context.getConnection().setNetworkTimeout(Runnable::run, NO_LIMIT);
        } catch (SQLException e) {
            throw new FlywayException("cannot remove the time limit of a migration", e);
        }
    }
}
