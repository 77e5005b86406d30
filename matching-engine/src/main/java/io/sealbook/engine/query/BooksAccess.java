package io.sealbook.engine.query;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.persistence.BooksOfRecord;
import java.util.function.Function;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.web.server.ResponseStatusException;

/**
 * The database as queries see it: an engine without its database continues, and these queries answer
 * SERVICE_UNAVAILABLE.
 */
@Component
class BooksAccess {
    private final ObjectProvider<BooksOfRecord> books;
    private final boolean isEnabled;

    BooksAccess(ObjectProvider<BooksOfRecord> books, EngineProperties properties) {
        this.books = books;
        isEnabled = properties.database().enabled();
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
