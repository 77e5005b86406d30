package io.sealbook.engine.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.opentest4j.TestAbortedException;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server in a temporary folder, on a port of 127.0.0.1. It refuses root, so that root starts it as nobody.
 */
final class PostgresServer implements AutoCloseable {
    private static final String USER = "sealbook";
    private static final String OTHER_USER = "nobody";

    private final Path programs;
    private final Path folder;
    private final PortBlock port;
    private final Process server;

    /** Starts the server, and returns when it answers. */
    PostgresServer() throws Exception {
        programs = programs().orElseThrow(() -> new TestAbortedException("needs PostgreSQL: there is no initdb"));
        folder = Files.createTempDirectory("sealbook-postgresql");
        if (isRoot()) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER));
        }
        port = PortBlock.take(1);
        String data = folder.resolve("data").toString();
        run("initdb", "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
        server =
                start("postgres", "-D", data, "-h", "127.0.0.1", "-k", folder.toString(), "-p", "" + port.base(), "-F");
        Facts.await("PostgreSQL answers", () -> {
            assertThat(server.isAlive()).as("PostgreSQL runs").isTrue();
            return isAnswering();
        });
    }

    /** Returns a new database with the tables of this build. */
    JdbcTemplate database(String name) {
        new JdbcTemplate(source("postgres")).execute("CREATE DATABASE " + name);
        PGSimpleDataSource source = source(name);
        Flyway.configure().dataSource(source).load().migrate();
        return new JdbcTemplate(source);
    }

    private PGSimpleDataSource source(String name) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL("jdbc:postgresql://127.0.0.1:" + port.base() + "/" + name + "?reWriteBatchedInserts=true");
        source.setUser(USER);
        return source;
    }

    private boolean isAnswering() {
        try (Connection connection = source("postgres").getConnection()) {
            return connection.isValid(0);
        } catch (SQLException notYet) {
            return false;
        }
    }

    @Override
    public void close() throws Exception {
        run("pg_ctl", "stop", "-D", folder.resolve("data").toString(), "-m", "immediate", "-w");
        server.waitFor();
        FileSystemUtils.deleteRecursively(folder);
        port.close();
    }

    private void run(String program, String... arguments) throws Exception {
        assertThat(start(program, arguments).waitFor()).as(program).isZero();
    }

    private Process start(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("runuser", "-u", OTHER_USER, "--"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Returns the folder of the programs: on PATH, or of the newest version below /usr/lib/postgresql. */
    private static Optional<Path> programs() throws IOException {
        List<Path> folders = new ArrayList<>();
        Path versions = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> listed = Files.list(versions)) {
                listed.sorted().map(version -> version.resolve("bin")).forEach(folders::add);
            }
        }
        Stream.of(System.getenv("PATH").split(":")).map(Path::of).forEach(folders::add);
        return folders.stream()
                .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
                .reduce((first, last) -> last);
    }
}
