package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The directory of a throw-away cluster: emptied before it is used, only if it is one, and only if no other process
 * uses it. It is this process's own from then on, until the process ends. Any thread.
 */
public final class WorkDirectory {
    /** Locked by the process that has emptied the directory. */
    private static final String MARKER = ".sealbook-work";

    /** What the processes of a cluster lock: the archive and the replica log of a node that runs. */
    private static final Set<String> LOCKS = Set.of(MARKER, "archive.lock", "lock");

    /** The markers that this process has locked. */
    private static final Map<Path, FileChannel> HELD = new HashMap<>();

    private WorkDirectory() {}

    /**
     * Creates the directory, or deletes what an earlier run left in it.
     *
     * @throws IOException if it holds files and was not made by this method, or another process uses it: the program
     *     that emptied it, or a node that its program has left behind; nothing is deleted then
     */
    public static void empty(Path directory) throws IOException {
        Files.createDirectories(directory);
        // One name for each place: two channels of one process do not exclude each other as two processes do.
        Path place = directory.toRealPath();
        Path marker = place.resolve(MARKER);
        if (!Files.exists(marker)) {
            refuseOtherFiles(directory);
        }
        synchronized (HELD) {
            if (!HELD.containsKey(marker) || !Files.exists(marker)) {
                HELD.put(marker, lock(marker, directory));
            }
            for (Path file : filesBelow(place)) {
                if (isLock(file) && !HELD.containsKey(file)) {
                    lock(file, directory).close();
                }
            }
            deleteBelow(place, marker);
        }
    }

    private static void refuseOtherFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw new IOException(
                        directory + " holds files that no earlier run has made; choose another directory");
            }
        }
    }

    private static boolean isLock(Path file) {
        return LOCKS.contains(file.getFileName().toString()) && Files.isRegularFile(file);
    }

    private static FileChannel lock(Path file, Path directory) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (channel.tryLock() == null) {
            channel.close();
            throw new IOException(directory + " is in use: another process holds " + file
                    + ", which fuser(1) names; end it, or choose another directory");
        }
        return channel;
    }

    private static void deleteBelow(Path place, Path marker) throws IOException {
        for (Path file : filesBelow(place)) {
            if (!file.equals(place) && !file.equals(marker)) {
                FileChannel held = HELD.remove(file);
                if (held != null) {
                    held.close();
                }
                Files.delete(file);
            }
        }
    }

    /** Deletes a directory with all it holds. */
    public static void delete(Path directory) throws IOException {
        for (Path file : filesBelow(directory)) {
            Files.delete(file);
        }
    }

    /** Returns all files, the directory last. */
    private static List<Path> filesBelow(Path directory) throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        }
    }
}
