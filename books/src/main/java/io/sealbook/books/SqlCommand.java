package io.sealbook.books;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sql}: answers statements. */
@Command(
        name = "sql",
        description = {
            "Answers SQL statements in the dialect of DuckDB; prints the rows of the last one, tab-separated.",
            "COPY (SELECT ...) TO 'FILE.csv', '.json' or '.parquet' writes them to a file.",
            "Standard error names each broker whose first reports are no longer kept."
        })
final class SqlCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private BooksArgument argument;

    @Parameters(index = "1", paramLabel = "SQL", description = "Statements, separated by semicolons.")
    private String sql;

    @Override
    public Integer call() throws SQLException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        try (NodeBooks books = argument.open();
                Statement statement = books.connection().createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    RowText.print(rows, out);
                }
            }
            books.lacks().forEach(spec.commandLine().getErr()::println);
            return BooksTool.OK;
        }
    }
}
