package io.sealbook.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * The blocks of an archive that are known to be damaged. They are served to no reader until their bytes are right
 * again. What was found in their places is kept in files of a directory beside the segments. Any thread.
 */
final class Quarantine {
    /** Of the archive's directory; no tool and no node reads it. */
    static final String DIRECTORY_NAME = "damaged";

    /** Beyond that no further bytes are kept: a failing disk must not be filled by what it has damaged. */
    static final long KEPT_BYTES_MAX = 64L << 20;

    /** Kept files of one kind, the newest: one more takes the place of the oldest. */
    static final int KEPT_FILES_MAX = 4;

    /** Of the names of kept bytes, and of no kept file. */
    private static final String BYTES_SUFFIX = ".bytes";

    private final Path directory;
    private final ConcurrentSkipListSet<Long> blocks = new ConcurrentSkipListSet<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong foundCount = new AtomicLong();
    private volatile Runnable listener = () -> {};

    /** @param archive its directory */
    Quarantine(Path archive) {
        directory = archive.resolve(DIRECTORY_NAME);
    }

    /** Has a listener called, on any thread, whenever damage is found that was not known. */
    void onFound(Runnable newListener) {
        listener = newListener;
    }

    void add(long sequence) {
        if (blocks.add(sequence)) {
            count.incrementAndGet();
            foundCount.incrementAndGet();
            listener.run();
        }
    }

    void remove(long sequence) {
        if (blocks.remove(sequence)) {
            count.decrementAndGet();
        }
    }

    boolean contains(long sequence) {
        return !blocks.isEmpty() && blocks.contains(sequence);
    }

    int count() {
        return count.get();
    }

    /** Returns how many were added so far. */
    long foundCount() {
        return foundCount.get();
    }

    /** Returns the last one below a sequence. */
    Optional<Long> before(long sequence) {
        return Optional.ofNullable(blocks.lower(sequence));
    }

    List<Long> blocks() {
        return List.copyOf(blocks);
    }

    /**
     * Keeps damaged bytes for inspection, if there is room for them.
     *
     * @param stem of the file's name, which tells what they were
     * @param bytes as the disk has them
     */
    void keep(String stem, byte[] bytes) {
        try {
            Files.createDirectories(directory);
            Path file = directory.resolve(stem + BYTES_SUFFIX);
            if (keptBytes() + bytes.length > KEPT_BYTES_MAX || Files.exists(file)) {
                return;
            }
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                PositionalIo.write(channel, ByteBuffer.wrap(bytes), 0);
            }
        } catch (IOException e) {
            if (!PositionalIo.isNoSpace(e)) {
                throw new ArchiveException("cannot keep damaged bytes in " + directory, e);
            }
        }
    }

    /**
     * Keeps a damaged file, whatever its length, under a name of its own; the file stays where it is. It takes no
     * further room while that file exists, but where the file system has no hard links. Of the files of a stem and an
     * extension that were kept before, {@link #KEPT_FILES_MAX} - 1 stay, those that were written last.
     *
     * @param file below the archive's directory, of which nothing is written any more
     * @param stem first part of the name
     * @param extension last part of the name
     * @return the name, unless the same bytes have one already. If the file is written to after all, the name must be
     *     deleted before: it may be one of the file itself
     * @throws IOException if it cannot be kept
     */
    Optional<Path> keepFile(Path file, String stem, String extension) throws IOException {
        Files.createDirectories(directory);
        String name = String.format(Locale.ROOT, "%s-%08x", stem, crc(file));
        Path kept = directory.resolve(name + "." + extension);
        for (int copy = 2; Files.exists(kept); copy++) {
            if (Files.mismatch(file, kept) < 0) {
                return Optional.empty();
            }
            kept = directory.resolve(name + "-" + copy + "." + extension);
        }
        deleteOldest(stem + "-", "." + extension);
        link(file, kept);
        try {
            PositionalIo.forceDirectory(directory);
        } catch (IOException e) {
            Files.deleteIfExists(kept);
            throw e;
        }
        return Optional.of(kept);
    }

    /** Makes room for one more: a disk that damages a file at each start must not be filled by what is kept. */
    private void deleteOldest(String prefix, String suffix) throws IOException {
        TreeMap<String, Path> byAge = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.startsWith(prefix) && name.endsWith(suffix)) {
                    long writtenMs = Files.getLastModifiedTime(file).toMillis();
                    byAge.put(String.format(Locale.ROOT, "%019d %s", Math.max(0, writtenMs), name), file);
                }
            }
        }
        while (byAge.size() >= KEPT_FILES_MAX) {
            Files.delete(byAge.pollFirstEntry().getValue());
        }
    }

    private static void link(Path file, Path kept) throws IOException {
        try {
            Files.createLink(kept, file);
        } catch (UnsupportedOperationException | FileSystemException e) {
            try {
                Files.copy(file, kept);
                try (FileChannel copy = FileChannel.open(kept, StandardOpenOption.WRITE)) {
                    copy.force(true);
                }
            } catch (IOException failure) {
                Files.deleteIfExists(kept);
                throw failure;
            }
        }
    }

    private static int crc(Path file) throws IOException {
        CRC32C crc = new CRC32C();
        try (InputStream bytes = new CheckedInputStream(Files.newInputStream(file), crc)) {
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        return (int) crc.getValue();
    }

    /** A kept file had its room before. */
    private long keptBytes() throws IOException {
        long sum = 0;
        try (var files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                sum += file.toString().endsWith(BYTES_SUFFIX) ? Files.size(file) : 0;
            }
        }
        return sum;
    }
}
