package io.sealbook.books;

import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code tables}: what can be asked. */
@Command(name = "tables", description = "Prints the tables with their columns and types.")
final class TablesCommand implements Callable<Integer> {
    private static final String COLUMNS = """
            SELECT table_name AS "table", column_name AS "column", data_type AS "type"
            FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index
            """;

    @Spec
    private CommandSpec spec;

    @Mixin
    private BooksArgument argument;

    @Override
    public Integer call() throws SQLException, IOException {
        try (NodeBooks books = argument.open();
                Statement statement = books.connection().createStatement();
                ResultSet rows = statement.executeQuery(COLUMNS)) {
            RowText.print(rows, spec.commandLine().getOut());
            return BooksTool.OK;
        }
    }
}
