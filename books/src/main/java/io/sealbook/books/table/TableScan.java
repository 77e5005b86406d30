package io.sealbook.books.table;

import java.util.List;
import java.util.stream.LongStream;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBTableFunctionState;
import org.duckdb.DuckDBWritableVector;

/**
 * Gives DuckDB the rows of a table: columns that a query does not name are not read out of a row. Its two parameters
 * are the first and the last block that are read. One thread per query.
 *
 * @param <R> a row
 */
public final class TableScan<R>
        implements DuckDBTableFunction<BlockSpan, TableScan.Progress<R>, DuckDBTableFunctionState> {
    private final BookTable<R> table;

    /** @param table whose rows are read at each query */
    public TableScan(BookTable<R> table) {
        this.table = table;
    }

    /** One query's place in the rows. */
    static final class Progress<R> implements DuckDBTableFunctionState {
        private final Rows<R> rows;
        private final List<Column<R>> columns;

        Progress(Rows<R> rows, List<Column<R>> columns) {
            this.rows = rows;
            this.columns = columns;
        }

        @Override
        public void close() {
            rows.close();
        }
    }

    @Override
    public BlockSpan bind(DuckDBTableFunctionBindInfo info) {
        table.columns().forEach(column -> info.addResultColumn(column.name(), column.type()));
        return new BlockSpan(
                info.getParameter(0).getLong(), info.getParameter(1).getLong());
    }

    @Override
    public Progress<R> init(DuckDBTableFunctionInitInfo info) {
        info.setMaxThreads(1);
        List<Column<R>> named = LongStream.range(0, info.getColumnCount())
                .mapToObj(i -> table.columns().get((int) info.getColumnIndex(i)))
                .toList();
        return new Progress<>(table.rows().apply(info.getBindData()), named);
    }

    @Override
    public long apply(DuckDBTableFunctionCallInfo call, DuckDBDataChunkWriter chunk) {
        Progress<R> progress = call.getInitData();
        DuckDBWritableVector[] vectors = new DuckDBWritableVector[progress.columns.size()];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = chunk.vector(i);
        }
        long capacity = chunk.capacity();
        long count = 0;
        while (count < capacity) {
            R row = progress.rows.next();
            if (row == null) {
                break;
            }
            for (int i = 0; i < vectors.length; i++) {
                progress.columns.get(i).cell().write(vectors[i], count, row);
            }
            count++;
        }
        return count;
    }
}
