package io.sealbook.archive;

import io.sealbook.lock.FileInUseException;
import io.sealbook.lock.LockFile;
import java.io.IOException;
import java.nio.file.Path;

/** The lock of an archive's directory: it is open for writing in one place at a time. */
final class ArchiveLock implements AutoCloseable {
    private static final String FILE_NAME = "archive.lock";

    private final LockFile file;

    private ArchiveLock(LockFile file) {
        this.file = file;
    }

    /**
     * Takes the lock of a directory, until it is closed or the process ends.
     *
     * @throws ArchiveException if the archive is open elsewhere
     */
    static ArchiveLock take(Path directory) throws IOException {
        try {
            return new ArchiveLock(LockFile.take(directory.resolve(FILE_NAME)));
        } catch (FileInUseException e) {
            throw new ArchiveException("archive is open in "
                    + (e.isOfThisProcess() ? "this process already: " : "another process: ") + directory);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new ArchiveException("cannot release the lock", e);
        }
    }
}
