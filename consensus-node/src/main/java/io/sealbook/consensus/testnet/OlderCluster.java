package io.sealbook.consensus.testnet;

import io.sealbook.lock.LockFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What an earlier run of {@code testnet}, and the processes of its cluster, left in a directory. */
final class OlderCluster {
    private static final String GENESIS = "genesis.json";
    private static final String DIRECTORIES = "node\\d+|broker\\d+|auditor\\d+|follower\\d+|" + TestnetWriter.OPERATOR;
    /** One of them is in each directory that testnet has written. */
    private static final Set<String> WRITTEN = Set.of(
            GENESIS,
            "node.properties",
            "broker.key",
            "broker.properties",
            "follower.properties",
            "auditor.key",
            TestnetCertificates.TLS);
    /** Names of what nodes, engines and programs of brokers hold while they run. */
    private static final Pattern LOCKS = Pattern.compile("lock|.*\\.lock");

    /** The genesis file comes last. */
    private final List<Path> parts;

    private OlderCluster(List<Path> parts) {
        this.parts = parts;
    }

    /**
     * Looks at a directory, which need not exist.
     *
     * @throws FileAlreadyExistsException if something else has the name of a part
     */
    static OlderCluster in(Path directory) throws IOException {
        List<Path> parts = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return new OlderCluster(parts);
        }
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.getFileName().toString().matches(DIRECTORIES))
                    .sorted()
                    .forEach(parts::add);
        }
        for (Path part : parts) {
            requireWritten(part);
        }
        if (Files.exists(directory.resolve(GENESIS))) {
            parts.add(directory.resolve(GENESIS));
        }
        return new OlderCluster(parts);
    }

    private static void requireWritten(Path part) throws IOException {
        if (Files.isDirectory(part)) {
            try (Stream<Path> files = Files.list(part)) {
                List<String> names =
                        files.map(file -> file.getFileName().toString()).toList();
                if (names.isEmpty() || names.stream().anyMatch(WRITTEN::contains)) {
                    return;
                }
            }
        }
        throw new FileAlreadyExistsException(
                part.toString(), null, "testnet has not written it and does not remove it; choose another directory");
    }

    /** @throws FileAlreadyExistsException if there is a cluster */
    void requireNone() throws IOException {
        if (!parts.isEmpty()) {
            throw new FileAlreadyExistsException(
                    parts.get(0).toString(),
                    null,
                    "a cluster is there already; --force replaces it and removes its blocks");
        }
    }

    /** @throws IOException if a process uses the cluster; it names the file that the process holds */
    void requireUnused() throws IOException {
        for (Path part : parts) {
            for (Path file : filesBelow(part)) {
                if (LOCKS.matcher(file.getFileName().toString()).matches() && LockFile.isHeld(file)) {
                    throw new FileSystemException(
                            file.toString(), null, "a process of the cluster holds it; end the cluster first");
                }
            }
        }
    }

    /** Deletes all. */
    void remove() throws IOException {
        for (Path part : parts) {
            for (Path file : inOrderOfRemoval(part)) {
                Files.delete(file);
            }
        }
    }

    /** What testnet wrote goes last: if the removal is interrupted, the directory is still known as its own. */
    static List<Path> inOrderOfRemoval(Path part) throws IOException {
        List<Path> files = new ArrayList<>(filesBelow(part));
        files.sort(Comparator.comparing(file -> isWritten(part.relativize(file))));
        return files;
    }

    private static boolean isWritten(Path fromPart) {
        return fromPart.toString().isEmpty()
                || WRITTEN.contains(fromPart.getName(0).toString());
    }

    /** Returns all files, each before its directory. */
    private static List<Path> filesBelow(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
