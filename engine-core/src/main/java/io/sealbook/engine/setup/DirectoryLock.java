package io.sealbook.engine.setup;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Prevents a second engine on a directory; the operating system releases it when the process ends, however it ends. */
public final class DirectoryLock implements AutoCloseable {
    private final EngineDirectory directory;
    private final FileChannel file;

    private DirectoryLock(EngineDirectory directory, FileChannel file) {
        this.directory = directory;
        this.file = file;
    }

    /**
     * Takes the lock.
     *
     * @throws IllegalStateException if another engine holds it
     */
    public static DirectoryLock acquire(EngineDirectory directory) {
        Path path = directory.root().resolve("engine").resolve("lock");
        try {
            Files.createDirectories(path.getParent());
            FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(file)) {
                file.close();
                throw new OperatingFailureException("another engine runs on " + directory.root());
            }
            return new DirectoryLock(directory, file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + path, e);
        }
    }

    /** Returns the locked directory; each writer takes it from here. */
    public EngineDirectory directory() {
        return directory;
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot release the lock of the engine's directory", e);
        }
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            FileLock lock = file.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
