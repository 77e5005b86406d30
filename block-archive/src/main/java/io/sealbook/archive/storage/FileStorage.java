package io.sealbook.archive.storage;

import io.sealbook.lock.FileInUseException;
import io.sealbook.lock.LockFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory of a file system, used by one process at a time, which a lock file ensures. Writes go through channels
 * and not through mappings: a full disk is an exception then and not a signal.
 */
public final class FileStorage implements Storage {
    private static final String LOCK = "lock";

    private interface Action<T> {
        T run() throws IOException;
    }

    private final Path directory;
    private final LockFile lock;

    private FileStorage(Path directory, LockFile lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens a directory; creates it if there is none.
     *
     * @throws StorageException if it cannot be created, or is in use
     */
    public static FileStorage open(Path directory) {
        return attempt("cannot open " + directory, () -> {
            Files.createDirectories(directory);
            return new FileStorage(directory, lock(directory));
        });
    }

    private static LockFile lock(Path directory) throws IOException {
        try {
            return LockFile.take(directory.resolve(LOCK));
        } catch (FileInUseException e) {
            throw new IOException("it is in use by " + (e.isOfThisProcess() ? "this process" : "another process"), e);
        }
    }

    @Override
    public List<String> names() {
        return attempt("cannot list " + directory, () -> {
            List<String> names = new ArrayList<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
                for (Path file : files) {
                    String name = file.getFileName().toString();
                    if (!name.equals(LOCK)) {
                        names.add(name);
                    }
                }
            }
            names.sort(null);
            return names;
        });
    }

    @Override
    public StoredFile open(String name) {
        return open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public StoredFile create(String name) {
        return open(
                name,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    private StoredFile open(String name, OpenOption... options) {
        Path file = directory.resolve(name);
        return attempt("cannot open " + file, () -> new ChannelFile(file, FileChannel.open(file, options)));
    }

    @Override
    public void rename(String from, String to) {
        attempt("cannot rename " + from + " in " + directory, () -> {
            Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
            return null;
        });
    }

    @Override
    public void delete(String name) {
        attempt("cannot delete " + name + " in " + directory, () -> Files.deleteIfExists(directory.resolve(name)));
    }

    @Override
    public void syncNames() {
        attempt("cannot sync " + directory, () -> {
            try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
                entries.force(true);
            }
            return null;
        });
    }

    @Override
    public void close() {
        attempt("cannot close " + directory, () -> {
            lock.close();
            return null;
        });
    }

    private static <T> T attempt(String fact, Action<T> action) {
        try {
            return action.run();
        } catch (IOException e) {
            throw new StorageException(fact, e);
        }
    }
}
