package io.sealbook.engine.journal;

import io.sealbook.engine.output.OutputFrame;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Appends the outputs of every block to files named for their first block. One thread appends, flushes, truncates and
 * prunes; readers see whole blocks up to {@link #lastBlock()}. A torn tail is cut when the journal is opened.
 */
public final class ExecutionJournal implements AutoCloseable {
    private static final String SUFFIX = ".journal";
    private static final int STAGED_BYTES = 1 << 18;

    private final Path directory;
    private final long segmentBytes;
    private final Durability durability;
    private final boolean isKept;
    private final List<Runnable> listeners = new ArrayList<>();
    private ByteBuffer staged = ByteBuffer.allocate(STAGED_BYTES);
    private FileChannel file;
    private long appendedBlock;
    private boolean isWithinBlock;
    private volatile long lastBlock;

    private ExecutionJournal(Path directory, long segmentBytes, Durability durability, boolean isKept) {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.durability = durability;
        this.isKept = isKept;
    }

    /**
     * Opens the journal and cuts a torn tail.
     *
     * @param directory is made if it does not exist; belongs to the journal alone
     * @param segmentBytes size from which a new file is started, at a block's end
     * @param durability whether a full file is forced to disk
     */
    public static ExecutionJournal open(Path directory, long segmentBytes, Durability durability) {
        try {
            Files.createDirectories(directory);
            ExecutionJournal journal = new ExecutionJournal(directory, segmentBytes, durability, true);
            journal.cutAfter(Long.MAX_VALUE);
            return journal;
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot open " + directory, e);
        }
    }

    /**
     * Returns a journal without readers: it records the last block and writes nothing. Files of an earlier time stay as
     * they are, so that a database can go on from them.
     */
    public static ExecutionJournal none(Path directory) {
        return new ExecutionJournal(directory, Long.MAX_VALUE, Durability.PROCESS, false);
    }

    /** Returns whether appended frames are kept for readers. */
    public boolean isKept() {
        return isKept;
    }

    /** Returns whether a start after this block leaves its readers no gap. */
    public boolean reaches(long block) {
        return !isKept || lastBlock >= block;
    }

    /** Returns the last whole block that can be read; 0 when there is none. */
    public long lastBlock() {
        return lastBlock;
    }

    /** Returns the first block kept; 0 when there is none. */
    public long firstBlock() {
        TreeMap<Long, Path> segments = segments(directory);
        return segments.isEmpty() ? 0 : segments.firstKey();
    }

    /**
     * Adds a listener that is notified on the writer's thread when new blocks can be read. To be called before the
     * first append.
     */
    public void onFlushed(Runnable listener) {
        listeners.add(listener);
    }

    /** Takes a frame; a block can be read after its last frame and {@link #flush()}. */
    public void append(OutputFrame frame) {
        if (!isWithinBlock && lastAppended() != 0 && frame.blockSequence() != lastAppended() + 1) {
            throw new BrokenInvariantException(
                    "journal: block " + frame.blockSequence() + " came after block " + lastAppended());
        }
        if (!isKept) {
            isWithinBlock = !frame.isLast();
            appendedBlock = frame.isLast() ? frame.blockSequence() : appendedBlock;
            return;
        }
        JournalFrame record = new JournalFrame(
                frame.blockSequence(),
                frame.blockTimeNs(),
                frame.firstIndex(),
                frame.isLast(),
                frame.bytes(),
                frame.length());
        try {
            if (file == null) {
                create(frame.blockSequence());
            }
            reserve(JournalFrame.HEADER_LENGTH + frame.length());
            record.encode(staged);
            isWithinBlock = !frame.isLast();
            if (frame.isLast()) {
                appendedBlock = frame.blockSequence();
                if (file.position() + staged.position() >= segmentBytes) {
                    write();
                    announce();
                    sync();
                    file.close();
                    file = null;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot write block " + frame.blockSequence(), e);
        }
    }

    /** Writes the appended messages and announces the whole blocks. */
    public void flush() {
        try {
            write();
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot write block " + appendedBlock, e);
        }
        announce();
    }

    /** Forces everything announced to disk, if the durability class asks for it. */
    public void sync() {
        try {
            if (file != null && durability.isDisk()) {
                file.force(false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot sync", e);
        }
    }

    /** Forgets every block after {@code block}; they will be produced again. */
    public void truncateAfter(long block) {
        if (!isKept) {
            appendedBlock = block;
            lastBlock = block;
            return;
        }
        try {
            cutAfter(block);
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot truncate after block " + block, e);
        }
    }

    /**
     * Removes files whose blocks all lie at or before {@code block}; the newest file stays. Returns how many were
     * removed.
     */
    public int pruneBefore(long block) {
        if (!isKept) {
            return 0;
        }
        List<Long> firsts = new ArrayList<>(segments(directory).keySet());
        int removed = 0;
        try {
            while (removed + 1 < firsts.size() && firsts.get(removed + 1) - 1 <= block) {
                Files.delete(path(directory, firsts.get(removed)));
                removed++;
            }
            return removed;
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot prune up to block " + block, e);
        }
    }

    /** Returns a reader of the blocks after {@code block}; it is for one thread. */
    public JournalReader readAfter(long block) {
        return new JournalReader(this, directory, block);
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                write();
                file.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot close", e);
        }
    }

    static TreeMap<Long, Path> segments(Path directory) {
        TreeMap<Long, Path> segments = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(path -> path.getFileName().toString().endsWith(SUFFIX)).forEach(path -> {
                String name = path.getFileName().toString();
                segments.put(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())), path);
            });
        } catch (IOException e) {
            throw new UncheckedIOException("journal: cannot list " + directory, e);
        }
        return segments;
    }

    private static Path path(Path directory, long firstBlock) {
        return directory.resolve(String.format(Locale.ROOT, "%020d%s", firstBlock, SUFFIX));
    }

    private long lastAppended() {
        return appendedBlock;
    }

    private void create(long firstBlock) throws IOException {
        file = FileChannel.open(
                path(directory, firstBlock),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    private void reserve(int length) throws IOException {
        if (staged.remaining() < length) {
            write();
        }
        if (staged.capacity() < length) {
            staged = ByteBuffer.allocate(length);
        }
    }

    private void write() throws IOException {
        staged.flip();
        while (staged.hasRemaining()) {
            file.write(staged);
        }
        staged.clear();
    }

    private void announce() {
        if (appendedBlock != lastBlock) {
            lastBlock = appendedBlock;
            listeners.forEach(Runnable::run);
        }
    }

    /** Walks back over the files until one holds a whole block at or before {@code block}, and cuts after it. */
    private void cutAfter(long block) throws IOException {
        close();
        file = null;
        staged.clear();
        isWithinBlock = false;
        appendedBlock = 0;
        for (long firstBlock : segments(directory).descendingKeySet()) {
            Path path = path(directory, firstBlock);
            if (firstBlock <= block) {
                JournalScan scan = JournalScan.of(path, block);
                if (scan.lastBlock() >= firstBlock) {
                    file = FileChannel.open(path, StandardOpenOption.WRITE);
                    file.truncate(scan.endOffset());
                    file.position(scan.endOffset());
                    appendedBlock = scan.lastBlock();
                    break;
                }
            }
            Files.delete(path);
        }
        lastBlock = appendedBlock;
    }
}
