package io.sealbook.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The lock of an archive's directory: it is open for writing in one place at a time. */
final class ArchiveLock implements AutoCloseable {
    private static final String FILE_NAME = "archive.lock";

    private final FileChannel channel;

    private ArchiveLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes the lock of a directory, until it is closed or the process ends.
     *
     * @throws ArchiveException if the archive is open elsewhere
     */
    static ArchiveLock take(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(FILE_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new ArchiveException("archive is open in this process already: " + directory);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new ArchiveException("archive is open in another process: " + directory);
        }
        return new ArchiveLock(channel);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new ArchiveException("cannot release the lock", e);
        }
    }
}
