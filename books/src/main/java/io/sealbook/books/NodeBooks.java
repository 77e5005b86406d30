package io.sealbook.books;

import io.sealbook.books.table.BookTable;
import io.sealbook.books.table.CutReports;
import io.sealbook.books.table.EarlyReports;
import io.sealbook.books.table.NodeTables;
import io.sealbook.books.table.TableScan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunctionBuilder;

/**
 * The files of a node as a database that holds nothing: DuckDB in this process, whose tables read the archive and the
 * report files when they are asked. The node and its engine may run; they do not notice. One thread at a time.
 */
public final class NodeBooks implements AutoCloseable {
    private final Connection connection;
    private final Path temporary;
    private final EarlyReports earlyReports;
    private final CutReports cutReports;

    private NodeBooks(Connection connection, Path temporary, EarlyReports earlyReports, CutReports cutReports) {
        this.connection = connection;
        this.temporary = temporary;
        this.earlyReports = earlyReports;
        this.cutReports = cutReports;
    }

    /**
     * Opens the books of a node.
     *
     * @param directory of the node; only read
     * @param limits what queries may use
     * @throws IOException if there is no place for what does not fit into memory
     */
    public static NodeBooks open(Path directory, BooksLimits limits) throws SQLException, IOException {
        Files.createDirectories(limits.temporary());
        // DuckDB names its files alike in every process.
        Path temporary = Files.createTempDirectory(limits.temporary(), "books-");
        EarlyReports earlyReports = new EarlyReports();
        CutReports cutReports = new CutReports(directory);
        try {
            Connection connection = connect(limits, temporary, NodeTables.of(directory, earlyReports, cutReports));
            return new NodeBooks(connection, temporary, earlyReports, cutReports);
        } catch (SQLException | RuntimeException e) {
            delete(temporary);
            throw e;
        }
    }

    private static Connection connect(BooksLimits limits, Path temporary, List<BookTable<?>> tables)
            throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("threads", Integer.toString(limits.threads()));
        settings.setProperty("memory_limit", limits.memoryMb() + "MB");
        settings.setProperty("temp_directory", temporary.toString());
        // Nothing is fetched from elsewhere.
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
        try {
            for (BookTable<?> table : tables) {
                register(connection, table);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(views());
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static <R> void register(Connection connection, BookTable<R> table) throws SQLException {
        try (DuckDBTableFunctionBuilder function = DuckDBFunctions.tableFunction()) {
            function.withName("scan_" + table.name())
                    .withParameters(Long.class, Long.class)
                    .withProjectionPushdown()
                    .withFunction(new TableScan<>(table))
                    .register(connection);
        }
    }

    private static String views() {
        try (InputStream in = NodeBooks.class.getResourceAsStream("views.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read views.sql", e);
        }
    }

    /** Returns the connection to the tables and views; it stays this object's. */
    public Connection connection() {
        return connection;
    }

    /** Returns what the answers so far lack because it is no longer kept: a line per broker. */
    public List<String> lacks() {
        return earlyReports.facts();
    }

    /** Returns what notices that an engine cuts reports; answers do not rely on any until it has been given a block. */
    CutReports cutReports() {
        return cutReports;
    }

    @Override
    public void close() throws SQLException, IOException {
        try {
            connection.close();
        } finally {
            delete(temporary);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
