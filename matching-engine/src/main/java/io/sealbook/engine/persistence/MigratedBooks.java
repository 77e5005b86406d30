package io.sealbook.engine.persistence;

import java.util.Arrays;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The books of record once their tables are those of this build. A migration may take hours, and a server may not
 * answer. Neither happens while a bean is created: Spring lets the creation of every other bean wait for it, and with
 * that the first request to each page.
 */
public final class MigratedBooks {
    private final ObjectProvider<Flyway> migrations;
    private final ObjectProvider<BooksOfRecord> books;
    private volatile BooksOfRecord opened;

    /**
     * Opens nothing.
     *
     * @param migrations none if the operator has turned them off
     * @param books whose creation asks the database nothing
     */
    public MigratedBooks(ObjectProvider<Flyway> migrations, ObjectProvider<BooksOfRecord> books) {
        this.migrations = migrations;
        this.books = books;
    }

    /**
     * Returns the books; the first call migrates their tables, and takes as long as that takes. One thread calls it.
     *
     * @throws RuntimeException if the database does not answer or a migration fails; the next call tries again
     */
    public BooksOfRecord open() {
        if (opened == null) {
            migrations.ifAvailable(MigratedBooks::migrate);
            opened = books.getObject();
        }
        return opened;
    }

    /**
     * A database without transactions for changes of tables, as H2, keeps the note of a migration that failed, and
     * Flyway refuses to go on until it is removed. Each migration can be repeated, see {@link RepeatedMigrations}.
     */
    private static void migrate(Flyway flyway) {
        if (Arrays.stream(flyway.info().all())
                .anyMatch(migration -> migration.getState().isFailed())) {
            flyway.repair();
        }
        flyway.migrate();
    }

    /** Returns the books; empty before {@link #open} has returned them. Any thread, at once. */
    public Optional<BooksOfRecord> opened() {
        return Optional.ofNullable(opened);
    }
}
