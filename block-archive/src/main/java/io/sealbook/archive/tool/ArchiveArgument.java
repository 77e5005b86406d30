package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which archive a command reads, and what its files do not say about themselves. */
final class ArchiveArgument {
    @Parameters(paramLabel = "DIR", description = "Directory of the archive, such as node0/archive.")
    private Path directory;

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            description = {
                "The node's durability, process or disk. It says how to read a segment that has lost its end",
                "when other segments follow: with process a loss of power did it, and the node deletes those;",
                "with disk it is damage, and they are read. With process, verify also accepts a damaged or",
                "missing last block. When this is not given, they are not read and all of it is a fault."
            })
    private Durability durability;

    /** Returns the class if it was given. */
    Optional<Durability> durability() {
        return Optional.ofNullable(durability);
    }

    ArchiveReader open() {
        return open(directory);
    }

    /** Opens another archive in the same way. */
    ArchiveReader open(Path other) {
        return durability == null ? ArchiveReader.open(other) : ArchiveReader.open(other, durability);
    }
}
