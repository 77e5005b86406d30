package io.sealbook.engine.query;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.persistence.BooksOfRecord;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.server.ResponseStatusException;

/**
 * The database as queries see it: an engine without its database continues. A query for which nothing else has an
 * answer gets SERVICE_UNAVAILABLE then.
 */
@Component
class BooksAccess {
    private static final Logger log = LoggerFactory.getLogger(BooksAccess.class);

    private final ObjectProvider<BooksOfRecord> books;
    private final boolean isEnabled;

    BooksAccess(ObjectProvider<BooksOfRecord> books, EngineProperties properties) {
        this.books = books;
        isEnabled = properties.database().enabled();
    }

    /** Answers a question for which there is another path: empty without a database, and if it does not answer. */
    <T> Optional<T> ask(Function<BooksOfRecord, Optional<T>> question) {
        try {
            return isEnabled ? question.apply(books.getObject()) : Optional.empty();
        } catch (DataAccessException | TransactionException | BeansException e) {
            log.debug("the database does not answer, the question is answered without it", e);
            return Optional.empty();
        }
    }

    <T> T query(Function<BooksOfRecord, T> question) {
        if (!isEnabled) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "this engine keeps no database");
        }
        try {
            return question.apply(books.getObject());
        } catch (DataAccessException | TransactionException | BeansException e) {
            throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "the database does not answer", e);
        }
    }
}
