package io.sealbook.books.table;

/**
 * Blocks that a query reads.
 *
 * @param from first one, at least 1
 * @param to last one; {@link Long#MAX_VALUE} for all that there are
 */
public record BlockSpan(long from, long to) {
    /** Returns whether a block is one of them. */
    public boolean contains(long block) {
        return from <= block && block <= to;
    }
}
