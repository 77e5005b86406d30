package io.sealbook.engine.setup;

import io.sealbook.lock.FileInUseException;
import io.sealbook.lock.LockFile;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Prevents a second engine on a directory; the operating system releases it when the process ends, however it ends. */
public final class DirectoryLock implements AutoCloseable {
    private final EngineDirectory directory;
    private final LockFile file;

    private DirectoryLock(EngineDirectory directory, LockFile file) {
        this.directory = directory;
        this.file = file;
    }

    /**
     * Takes the lock.
     *
     * @throws OperatingFailureException if another engine holds it
     */
    public static DirectoryLock acquire(EngineDirectory directory) {
        Path path = directory.root().resolve("engine").resolve("lock");
        try {
            Files.createDirectories(path.getParent());
            return new DirectoryLock(directory, LockFile.take(path));
        } catch (FileInUseException e) {
            throw new OperatingFailureException("another engine runs on " + directory.root());
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
}
