package io.sealbook.books;

import io.sealbook.books.table.NodeTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code export}: tables as files for other engines. */
@Command(
        name = "export",
        description = {
            "Writes blocks, batches, entries, changes, reports and trades as Parquet files, one per table.",
            "All end with one block, which is printed first. A file that exists is not replaced; an interrupted run",
            "leaves none that is not whole."
        })
final class ExportCommand implements Callable<Integer> {
    private static final List<String> TABLES = List.of("blocks", "batches", "entries", "changes", "reports", "trades");

    @Spec
    private CommandSpec spec;

    @Mixin
    private BooksArgument argument;

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "Folder for the files; made if missing.")
    private Path out;

    @Option(names = "--from", defaultValue = "1", paramLabel = "N", description = "First block.")
    private long from;

    @Option(
            names = "--to",
            paramLabel = "N",
            description = "Last block (default: the last one that is archived and whose reports are all filed).")
    private Long to;

    @Override
    public Integer call() throws SQLException, IOException {
        PrintWriter lines = spec.commandLine().getOut();
        try (NodeBooks books = argument.open();
                Statement statement = books.connection().createStatement()) {
            Files.createDirectories(out);
            long last = NodeTables.lastBlock(argument.directory());
            long end = to == null ? last : to;
            lines.println("range " + from + ".." + end);
            for (String table : TABLES) {
                lines.println(table + " " + export(statement, table, end));
            }
            PrintWriter err = spec.commandLine().getErr();
            books.lacks().forEach(err::println);
            if (end > last) {
                err.println("blocks after " + last
                        + " were not archived with all their reports filed: the tables may end with different blocks");
            }
            return BooksTool.OK;
        }
    }

    private Path export(Statement statement, String table, long end) throws SQLException, IOException {
        Path file = out.resolve(table + ".parquet");
        if (Files.exists(file)) {
            throw new ParameterException(spec.commandLine(), file + " exists");
        }
        Path unfinished = out.resolve(table + ".parquet.unfinished");
        statement.execute(String.format(
                Locale.ROOT,
                "COPY (FROM %s(from_block := %d, to_block := %d)) TO '%s' (FORMAT parquet, COMPRESSION zstd)",
                table,
                from,
                end,
                unfinished.toString().replace("'", "''")));
        return Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
