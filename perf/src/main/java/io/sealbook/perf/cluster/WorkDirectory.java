package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directory of a throw-away cluster: emptied before it is used, and only if it is one. */
public final class WorkDirectory {
    private static final String MARKER = ".sealbook-work";

    private WorkDirectory() {}

    /**
     * Creates the directory, or deletes what an earlier run left in it.
     *
     * @throws IOException if it holds files and was not made by this method
     */
    public static void empty(Path directory) throws IOException {
        if (Files.exists(directory)) {
            boolean isEmpty;
            try (Stream<Path> files = Files.list(directory)) {
                isEmpty = files.findAny().isEmpty();
            }
            if (!isEmpty && !Files.exists(directory.resolve(MARKER))) {
                throw new IOException(
                        directory + " holds files that no earlier run has made; choose another directory");
            }
            delete(directory);
        }
        Files.createDirectories(directory);
        Files.createFile(directory.resolve(MARKER));
    }

    /** Deletes a directory with all it holds. */
    public static void delete(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
