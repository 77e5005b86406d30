package io.sealbook.engine.intake;

import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffQueues;
import io.sealbook.handoff.HandedBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;

/**
 * The files of a queue, one for each day (UTC) on which something was written, {@code yyyyMMddF.cq4}; deletes those
 * whose blocks are no longer needed. The newest stays: it is being written. One thread.
 */
public final class QueueFiles {
    private static final String SUFFIX = "F.cq4";

    private final Path directory;
    private final ToLongFunction<byte[]> sequence;
    /** First block of each file that holds one; it never changes. */
    private final Map<Path, Long> firstBlocks = new HashMap<>();
    /** Files of earlier days that are on disk. */
    private final Set<Path> forced = new HashSet<>();

    private QueueFiles(Path directory, ToLongFunction<byte[]> sequence) {
        this.directory = directory;
        this.sequence = sequence;
    }

    /** Returns the files of a queue of committed blocks. */
    public static QueueFiles ofBlocks(Path directory) {
        return new QueueFiles(directory, excerpt -> HandedBlock.decode(excerpt).sequence());
    }

    /** Returns the files of a queue of block results. */
    public static QueueFiles ofResults(Path directory) {
        return new QueueFiles(directory, excerpt -> BlockResult.decode(excerpt).sequence());
    }

    /**
     * Deletes files whose blocks all lie before {@code block}; that block itself stays.
     *
     * @return how many were deleted
     */
    public int pruneBefore(long block) {
        List<Path> files = files();
        if (files.size() < 2 || block <= 1) {
            return 0;
        }
        try (ChronicleQueue queue = HandOffQueues.openForReading(directory)) {
            int kept = firstKept(queue, files, block);
            for (Path file : files.subList(0, kept)) {
                Files.delete(file);
                firstBlocks.remove(file);
            }
            if (kept > 0) {
                // Else the node's and our own next look at the queue's start would be for a file that is gone.
                queue.refreshDirectoryListing();
            }
            return kept;
        } catch (IOException e) {
            throw new UncheckedIOException("queue: cannot delete old files of " + directory, e);
        }
    }

    /**
     * Forces to disk what was written to the files, and their names. The writer may go on.
     *
     * @throws UncheckedIOException if a file cannot be forced
     */
    public void force() {
        List<Path> files = files();
        try {
            for (Path file : files) {
                if (!forced.contains(file)) {
                    force(file, StandardOpenOption.WRITE);
                }
            }
            force(directory, StandardOpenOption.READ);
        } catch (IOException e) {
            throw new UncheckedIOException("queue: cannot sync " + directory, e);
        }
        forced.clear();
        forced.addAll(files.subList(0, Math.max(0, files.size() - 1)));
    }

    private static void force(Path path, OpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }

    /** Returns bytes of all files, holes included. */
    public long bytes() {
        return files().stream().mapToLong(file -> file.toFile().length()).sum();
    }

    /**
     * Returns the position of the last file that begins at or before the block; all before it hold older blocks only.
     */
    private int firstKept(ChronicleQueue queue, List<Path> files, long block) {
        int kept = 0;
        try (ExcerptTailer tailer = queue.createTailer()) {
            for (int i = 1; i < files.size(); i++) {
                Long first = firstBlocks.computeIfAbsent(files.get(i), file -> firstBlock(queue, tailer, file));
                if (first == null) {
                    continue; // Its writer was killed as it began the file.
                }
                if (first > block) {
                    return kept;
                }
                kept = i;
            }
        }
        return kept;
    }

    private Long firstBlock(ChronicleQueue queue, ExcerptTailer tailer, Path file) {
        String day = file.getFileName().toString().replace(SUFFIX, "");
        int cycle = (int) LocalDate.parse(day, DateTimeFormatter.BASIC_ISO_DATE).toEpochDay();
        Bytes<byte[]> excerpt = Bytes.allocateElasticOnHeap();
        boolean isThere = tailer.moveToIndex(queue.rollCycle().toIndex(cycle, 0)) && tailer.readBytes(excerpt);
        return isThere ? sequence.applyAsLong(excerpt.toByteArray()) : null;
    }

    private List<Path> files() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(file -> file.getFileName().toString().matches("\\d{8}" + SUFFIX.replace(".", "\\.")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("queue: cannot list " + directory, e);
        }
    }
}
