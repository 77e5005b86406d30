package io.sealbook.books;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which node a command asks in SQL, and what it may use. */
final class BooksArgument {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private NodeArgument node;

    @Option(names = "--threads", defaultValue = "1", description = "Threads of a query; the files are read by one.")
    private int threads;

    @Option(
            names = "--memory-mb",
            defaultValue = "512",
            description = "Memory of a query in MB; what does not fit goes to --temp.")
    private int memoryMb;

    @Option(
            names = "--temp",
            paramLabel = "DIR",
            description = "Folder for what does not fit into memory (default: the system's).")
    private Path temporary = Path.of(System.getProperty("java.io.tmpdir"));

    /** Returns the node's directory. */
    Path directory() {
        return node.path();
    }

    NodeBooks open() throws SQLException, IOException {
        Path directory = directory();
        try {
            return NodeBooks.open(directory, new BooksLimits(threads, memoryMb, temporary));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
