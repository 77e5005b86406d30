package io.sealbook.engine.query;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.MigratedBooks;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.server.ResponseStatusException;

/**
 * The database as queries see it: an engine without its database continues. A query for which nothing else has an
 * answer gets SERVICE_UNAVAILABLE then. Queries leave one connection of the pool to the thread that fills the database,
 * which needs one at a time: however slow they are, it goes on. Any thread.
 */
@Component
class BooksAccess {
    private static final Logger log = LoggerFactory.getLogger(BooksAccess.class);

    /** Hikari's own default, for an application that sets none. */
    private static final int POOL_SIZE = 10;
    /** As long as a question may take ({@link BooksOfRecord}). */
    private static final long WAIT_MS = 5_000;

    private final Supplier<Optional<BooksOfRecord>> books;
    private final boolean isEnabled;
    private final Semaphore free;
    private final long waitMs;

    @Autowired
    BooksAccess(MigratedBooks books, EngineProperties properties, Environment environment) {
        this(
                books::opened,
                properties.database().enabled(),
                environment.getProperty("spring.datasource.hikari.maximum-pool-size", Integer.class, POOL_SIZE) - 1,
                WAIT_MS);
    }

    /**
     * @param books empty while the thread that fills the database has not opened it
     * @param isEnabled whether there is a database
     * @param questionsMax questions that the database is asked at once; a pool of one connection has one, too
     * @param waitMs time after which a question that waits for others counts as not answered
     */
    BooksAccess(Supplier<Optional<BooksOfRecord>> books, boolean isEnabled, int questionsMax, long waitMs) {
        this.books = books;
        this.isEnabled = isEnabled;
        this.free = new Semaphore(Math.max(1, questionsMax), true);
        this.waitMs = waitMs;
    }

    /** Answers a question for which there is another path: empty without a database, and if it does not answer. */
    <T> Optional<T> ask(Function<BooksOfRecord, Optional<T>> question) {
        try {
            return isEnabled ? answer(question) : Optional.empty();
        } catch (DataAccessException | TransactionException e) {
            log.debug("the database does not answer, the question is answered without it", e);
            return Optional.empty();
        }
    }

    <T> T query(Function<BooksOfRecord, T> question) {
        if (!isEnabled) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "this engine keeps no database");
        }
        try {
            return answer(question);
        } catch (DataAccessException | TransactionException e) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "the database does not answer", e);
        }
    }

    private <T> T answer(Function<BooksOfRecord, T> question) {
        BooksOfRecord opened =
                books.get().orElseThrow(() -> new DataAccessResourceFailureException("the database is not open yet"));
        if (!isFree()) {
            throw new QueryTimeoutException("other questions to the database took " + waitMs + " ms");
        }
        try {
            return question.apply(opened);
        } finally {
            free.release();
        }
    }

    private boolean isFree() {
        try {
            return free.tryAcquire(waitMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
