package io.sealbook.perf.bench.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for the files of a run. */
public final class BenchDirectory {
    private BenchDirectory() {}

    /** Creates an empty one, below the directory that {@code -Dsealbook.bench.dir} names, or a temporary one. */
    public static Path create() throws IOException {
        Path parent = Path.of(System.getProperty("sealbook.bench.dir", System.getProperty("java.io.tmpdir")));
        return Files.createTempDirectory(parent, "sealbook-bench-");
    }

    /** Deletes a directory with all that is in it. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
