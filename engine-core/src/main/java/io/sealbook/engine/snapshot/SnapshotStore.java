package io.sealbook.engine.snapshot;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the newest snapshots as files, {@link SnapshotFormat}. A file is written under a temporary name, forced to disk
 * where the durability class asks for it, then renamed, so that a snapshot's name implies a whole file. A damaged one
 * is passed over for the one before it.
 */
public final class SnapshotStore {
    /** Snapshots kept. */
    public static final int KEPT = 2;

    private static final Logger log = LoggerFactory.getLogger(SnapshotStore.class);
    private static final String SUFFIX = ".snapshot";
    private static final String UNFINISHED_SUFFIX = ".snapshot.unfinished";

    private final Path directory;
    private final Digest genesisDigest;
    private final Durability durability;

    /**
     * Opens the store and removes the unfinished files of an earlier process.
     *
     * @param directory is made if it does not exist; belongs to this store alone
     * @param genesisDigest snapshots of another genesis are not used
     * @param durability whether a snapshot survives the loss of power
     * @throws UncheckedIOException if the directory cannot be made or read
     */
    public SnapshotStore(Path directory, Digest genesisDigest, Durability durability) {
        this.directory = directory;
        this.genesisDigest = genesisDigest;
        this.durability = durability;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot create " + directory, e);
        }
        files(UNFINISHED_SUFFIX).forEach(SnapshotStore::delete);
    }

    /**
     * Begins a snapshot. The core's state goes straight to the file: memory is needed for a buffer only.
     *
     * @param header its block is that of no other snapshot that is begun or staged
     * @throws UncheckedIOException if the file cannot be written
     */
    public UnfinishedSnapshot begin(SnapshotHeader header) {
        return UnfinishedSnapshot.begin(this, genesisDigest, header, path(header.sequence(), UNFINISHED_SUFFIX));
    }

    void publish(long sequence) {
        Path unfinished = path(sequence, UNFINISHED_SUFFIX);
        Path target = path(sequence, SUFFIX);
        try {
            if (durability.isDisk()) {
                force(unfinished, StandardOpenOption.WRITE);
            }
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (durability.isDisk()) {
                force(directory, StandardOpenOption.READ);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot publish " + target, e);
        }
        files(SUFFIX).stream().skip(KEPT).forEach(SnapshotStore::delete);
    }

    /** Returns the sound snapshots, newest first; damaged ones are named in the log. Reads every file through. */
    public List<StoredSnapshot> readAll() {
        return files(SUFFIX).stream().map(this::read).flatMap(Optional::stream).toList();
    }

    /** Removes the snapshots of blocks after {@code sequence}: they are newer than the files they rely on. */
    public void deleteAfter(long sequence) {
        files(SUFFIX).stream().filter(file -> sequenceOf(file) > sequence).forEach(SnapshotStore::delete);
    }

    private Optional<StoredSnapshot> read(Path file) {
        try {
            return Optional.of(SnapshotFormat.read(file, genesisDigest));
        } catch (IOException | IllegalArgumentException e) {
            log.warn("snapshot: {} is not used: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the files of this suffix, newest first. */
    private List<Path> files(String suffix) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(file -> file.getFileName().toString().endsWith(suffix))
                    .sorted(Comparator.comparing(Path::getFileName).reversed())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot list " + directory, e);
        }
    }

    private Path path(long sequence, String suffix) {
        return directory.resolve(String.format(Locale.ROOT, "%020d%s", sequence, suffix));
    }

    private static long sequenceOf(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    private static void force(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot delete " + file, e);
        }
    }
}
