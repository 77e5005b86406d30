package io.sealbook.books.table;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Function;

/**
 * Rows from the blocks of an archive. The archive is opened anew for each query, without changing it, so that a query
 * sees what a running node has written until then.
 *
 * @param <R> a row
 */
final class ArchiveRows<R> implements Rows<R> {
    private final ArchiveReader archive;
    private final Function<Block, Iterator<R>> rowsOf;
    private final long last;
    private long next;
    private Iterator<R> rows = Collections.emptyIterator();

    /**
     * Opens the blocks.
     *
     * @param directory of the archive
     * @param span blocks that are read; those that are missing are left out
     * @param rowsOf rows of a block
     */
    ArchiveRows(Path directory, BlockSpan span, Function<Block, Iterator<R>> rowsOf) {
        this.archive = ArchiveReader.open(directory);
        this.rowsOf = rowsOf;
        this.next = Math.max(span.from(), archive.firstSequence());
        this.last = Math.min(span.to(), archive.lastSequence());
    }

    @Override
    public R next() {
        while (!rows.hasNext()) {
            if (next > last) {
                return null;
            }
            rows = rowsOf.apply(Block.wrap(archive.read(next).orElseThrow()));
            next++;
        }
        return rows.next();
    }

    @Override
    public void close() {
        archive.close();
    }
}
