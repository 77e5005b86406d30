package io.sealbook.lock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A lock file with one holder at a time, in this process and among processes. It is held until it is closed or the
 * process ends, however it ends.
 *
 * <p>POSIX releases all locks that a process has on a file when the process closes any descriptor of it. So this class
 * does not open a file that the process holds. No other code of the process may open a lock file. Any thread.
 */
public final class LockFile implements AutoCloseable {
    private static final String BESIDE = ".lock";

    /** Guards all attempts: the files that this process holds, by their real paths. */
    private static final Set<Path> HELD = new HashSet<>();

    /** Of files that another class loader of this process holds: closing one would release the other's lock. */
    private static final List<FileChannel> KEPT_OPEN = new ArrayList<>();

    private final Path file;
    private final FileChannel channel;

    private LockFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes a lock file, and creates it if there is none. Does not wait.
     *
     * @param file of the lock alone; its directory exists
     * @throws FileInUseException if it has a holder, which keeps it
     * @throws IOException if the file cannot be opened
     */
    public static LockFile take(Path file) throws IOException {
        synchronized (HELD) {
            Path real = real(file);
            if (HELD.contains(real)) {
                throw new FileInUseException(file, true);
            }
            FileChannel channel = lock(real, false, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            // Of another file system a channel alone has the lock, and a simulated disk may be dropped with it.
            if (isOfTheSystem(real)) {
                HELD.add(real);
            }
            return new LockFile(real, channel);
        }
    }

    /**
     * Takes the lock of a file that holds data: a file beside it, whose name ends with {@code .lock}. The file may be
     * opened, read and closed by any code of the process.
     *
     * @param file exists, or is created later; its directory exists
     * @throws FileInUseException if the lock has a holder, which keeps it
     * @throws IOException if the lock file cannot be opened
     */
    public static LockFile takeBeside(Path file) throws IOException {
        Path real = real(file);
        return take(real.resolveSibling(real.getFileName() + BESIDE));
    }

    /**
     * Returns whether a lock file has a holder. If none has it, this takes a shared lock for an instant: an attempt of
     * another process in that instant is refused.
     */
    public static boolean isHeld(Path file) throws IOException {
        synchronized (HELD) {
            if (!Files.exists(file)) {
                return false;
            }
            Path real = real(file);
            if (HELD.contains(real)) {
                return true;
            }
            try {
                lock(real, true, StandardOpenOption.READ).close();
                return false;
            } catch (FileInUseException e) {
                return true;
            }
        }
    }

    private static FileChannel lock(Path file, boolean isShared, OpenOption... options) throws IOException {
        FileChannel channel = FileChannel.open(file, options);
        boolean isKept = false;
        try {
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, isShared);
            if (lock == null) {
                throw new FileInUseException(file, false);
            }
            isKept = true;
            return channel;
        } catch (OverlappingFileLockException e) {
            if (isOfTheSystem(file)) {
                isKept = true;
                KEPT_OPEN.add(channel);
            }
            throw new FileInUseException(file, true);
        } finally {
            if (!isKept) {
                channel.close();
            }
        }
    }

    private static boolean isOfTheSystem(Path file) {
        return file.getFileSystem() == FileSystems.getDefault();
    }

    /** Returns one path for all names of a file. */
    private static Path real(Path file) throws IOException {
        if (Files.exists(file)) {
            return file.toRealPath();
        }
        Path absolute = file.toAbsolutePath();
        return absolute.getParent().toRealPath().resolve(absolute.getFileName());
    }

    /** Releases the lock; a second call does nothing. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (channel.isOpen()) {
                channel.close();
                HELD.remove(file);
            }
        }
    }
}
