package io.sealbook.engine.query;

import io.sealbook.access.HolderQuota;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.http.RequestCallers;
import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.MigratedBooks;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;

/**
 * The database as queries see it: an engine without its database continues. A query for which nothing else has an
 * answer gets SERVICE_UNAVAILABLE then. Queries leave one connection of the pool to the thread that fills the database,
 * which needs one at a time: however slow they are, it goes on. One of each caller is asked at a time, so that slow
 * ones of a caller leave places for others. Any thread; the lock is held while a place is taken or released, and is
 * fair: whoever has waited longest is first to look for a place.
 */
@Component
class BooksAccess {
    private static final Logger log = LoggerFactory.getLogger(BooksAccess.class);

    /** Hikari's own default, for an application that sets none. */
    private static final int POOL_SIZE = 10;
    /** As long as a question may take ({@link BooksOfRecord}). */
    private static final long WAIT_MS = 5_000;

    private static final int PER_CALLER_MAX = 1;

    private final Supplier<Optional<BooksOfRecord>> books;
    private final boolean isEnabled;
    private final Supplier<Object> caller;
    private final HolderQuota places;
    private final long waitMs;
    private final Lock lock = new ReentrantLock(true);
    private final Condition isReleased = lock.newCondition();

    @Autowired
    BooksAccess(MigratedBooks books, EngineProperties properties, Environment environment) {
        this(
                books::opened,
                properties.database().enabled(),
                RequestCallers::present,
                environment.getProperty("spring.datasource.hikari.maximum-pool-size", Integer.class, POOL_SIZE) - 1,
                WAIT_MS);
    }

    /**
     * @param books empty while the thread that fills the database has not opened it
     * @param isEnabled whether there is a database
     * @param caller returns who asks on this thread
     * @param questionsMax questions that the database is asked at once; a pool of one connection has one, too
     * @param waitMs time after which a question that waits for others counts as not answered
     */
    BooksAccess(
            Supplier<Optional<BooksOfRecord>> books,
            boolean isEnabled,
            Supplier<Object> caller,
            int questionsMax,
            long waitMs) {
        this.books = books;
        this.isEnabled = isEnabled;
        this.caller = caller;
        this.places = new HolderQuota(Math.max(1, questionsMax), PER_CALLER_MAX);
        this.waitMs = waitMs;
    }

    /** Answers a question for which there is another path: empty without a database, and if it does not answer. */
    <T> Optional<T> ask(Function<BooksOfRecord, Optional<T>> question) {
        try {
            return find(question);
        } catch (UnansweredException e) {
            log.debug("the question is answered without the database", e);
            return Optional.empty();
        }
    }

    /**
     * Looks for something that may also be elsewhere; empty without a database.
     *
     * @throws UnansweredException if there is a database and it does not answer: what it has is not known
     */
    <T> Optional<T> find(Function<BooksOfRecord, Optional<T>> question) {
        return isEnabled ? answer(question) : Optional.empty();
    }

    /**
     * Answers a question that only the database can answer.
     *
     * @throws ResponseStatusException 503 without a database
     * @throws ErrorResponseException 503 if it does not answer
     */
    <T> T query(Function<BooksOfRecord, T> question) {
        if (!isEnabled) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "this engine keeps no database");
        }
        try {
            return answer(question);
        } catch (UnansweredException e) {
            throw e.refusal();
        }
    }

    private <T> T answer(Function<BooksOfRecord, T> question) {
        BooksOfRecord opened =
                books.get().orElseThrow(() -> new UnansweredException("the database does not answer: it is not open"));
        Object asker = caller.get();
        HolderQuota.Answer place = take(asker);
        if (place != HolderQuota.Answer.TAKEN) {
            throw new UnansweredException("the database does not answer: "
                    + places.describe(place, asker, "questions to it") + ", for " + waitMs + " ms");
        }
        try {
            return question.apply(opened);
        } catch (DataAccessException | TransactionException e) {
            throw new UnansweredException("the database does not answer", e);
        } finally {
            release(asker);
        }
    }

    /** Waits for a place; returns why there was none in time. */
    private HolderQuota.Answer take(Object asker) {
        lock.lock();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(waitMs);
            HolderQuota.Answer place = places.take(asker);
            while (place != HolderQuota.Answer.TAKEN && leftNs > 0) {
                leftNs = isReleased.awaitNanos(leftNs);
                place = places.take(asker);
            }
            return place;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return HolderQuota.Answer.ALL_ARE_TAKEN;
        } finally {
            lock.unlock();
        }
    }

    private void release(Object asker) {
        lock.lock();
        try {
            places.release(asker);
            isReleased.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The database was not asked, or did not answer in time. */
    static final class UnansweredException extends OperatingFailureException {
        private static final long serialVersionUID = 1;
        private static final String RETRY_AFTER_SECONDS = "1";

        UnansweredException(String fact) {
            super(fact);
        }

        UnansweredException(String fact, Throwable cause) {
            super(fact, cause);
        }

        /** Returns the answer to a question that may be asked again in a moment: 503. */
        ErrorResponseException refusal() {
            ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, getMessage());
            ErrorResponseException refusal = new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE, problem, this);
            refusal.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            return refusal;
        }
    }
}
