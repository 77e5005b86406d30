package io.sealbook.books;

import io.sealbook.books.table.CutReports;
import io.sealbook.books.table.NodeTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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
            "All end with one block, which is printed first. A file that exists is not replaced. A run that fails, as",
            "one during which the engine starts, leaves no file; a killed run leaves none that is not whole."
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
            books.cutReports().need(Math.min(end, last));
            export(books.cutReports(), statement, end, lines);
            PrintWriter err = spec.commandLine().getErr();
            books.lacks().forEach(err::println);
            if (end > last) {
                err.println("blocks after " + last
                        + " were not archived with all their reports filed: the tables may end with different blocks");
            }
            return BooksTool.OK;
        }
    }

    /** Removes what it has written if it fails: the files of another attempt end with another block. */
    private void export(CutReports cutReports, Statement statement, long end, PrintWriter lines)
            throws SQLException, IOException {
        List<Path> written = new ArrayList<>();
        try {
            for (String table : TABLES) {
                Path file = out.resolve(table + ".parquet");
                if (Files.exists(file)) {
                    throw new ParameterException(spec.commandLine(), file + " exists");
                }
                Path unfinished = out.resolve(table + ".parquet.unfinished");
                written.add(unfinished);
                write(statement, table, end, unfinished);
                cutReports.check();
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
                written.add(file);
                lines.println(table + " " + file);
            }
        } catch (SQLException | IOException | RuntimeException e) {
            for (Path file : written) {
                Files.deleteIfExists(file);
            }
            throw e;
        }
    }

    private void write(Statement statement, String table, long end, Path file) throws SQLException {
        statement.execute(String.format(
                Locale.ROOT,
                "COPY (FROM %s(from_block := %d, to_block := %d)) TO '%s' (FORMAT parquet, COMPRESSION zstd)",
                table,
                from,
                end,
                file.toString().replace("'", "''")));
    }
}
