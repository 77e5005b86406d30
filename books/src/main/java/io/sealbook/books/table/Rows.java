package io.sealbook.books.table;

/**
 * The rows of a table, one after the other. One thread at a time.
 *
 * @param <R> a row
 */
public interface Rows<R> extends AutoCloseable {
    /** Returns the next row, valid until the next call; null after the last one. */
    R next();

    @Override
    void close();
}
