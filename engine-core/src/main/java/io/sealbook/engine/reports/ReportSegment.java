package io.sealbook.engine.reports;

import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.ReportRun;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;

/**
 * One file of a report store, named for its first report.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       "SBRPRTS3"
 *   8       4       broker id
 *   12      4       reserved, 0
 *   16      8       first report of the file before, 0 if there was none
 *   24      ...     chunks, see {@link ReportChunk}
 * </pre>
 *
 * A sparse index in memory, made by a walk over the chunks' heads, gives the place to begin to read. The newest file of
 * a broker stays open. An older one is open, and has its whole index, while it is among those of {@link OpenSegments};
 * a read opens it again, and walks over one piece of it. One thread writes, any thread reads.
 */
final class ReportSegment implements AutoCloseable {
    private static final String SUFFIX = ".reports";
    private static final long MAGIC = 0x3353_5452_5052_4253L; // "SBRPRTS3"
    static final int HEADER_LENGTH = 24;
    private static final int WALK_LENGTH = 64 << 10;

    private final Path path;
    private final OpenSegments openSegments;
    private final long firstSequence;
    /** Whether it may hold bytes that are not forced to disk. */
    private boolean isDirty;
    /** Whether chunks are appended to it: it is not closed for another file then. */
    private volatile boolean isNewest;

    // Guarded by this.
    /** Null while the file is not open. */
    private FileChannel file;

    private boolean isClosed;
    private boolean isIndexed;
    private final ReportIndex index;

    private ReportSegment(Path path, OpenSegments openSegments) {
        this.path = path;
        this.openSegments = openSegments;
        firstSequence = firstSequenceOf(path);
        index = new ReportIndex(firstSequence, HEADER_LENGTH);
    }

    static boolean isSegment(Path path) {
        return path.getFileName().toString().endsWith(SUFFIX);
    }

    /** Returns the first report of a file, which its name has. */
    static long firstSequenceOf(Path path) {
        String name = path.getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    /**
     * Makes the newest file.
     *
     * @param directory of the broker's files
     * @param firstSequence first report
     * @param brokerId whose reports
     * @param previous first report of the file before; 0 if there is none
     * @param openSegments gets it once another one is the newest
     */
    static ReportSegment create(
            Path directory, long firstSequence, int brokerId, long previous, OpenSegments openSegments)
            throws IOException {
        Path path = directory.resolve(String.format(Locale.ROOT, "%020d%s", firstSequence, SUFFIX));
        ReportSegment segment = new ReportSegment(path, openSegments);
        segment.create(header(brokerId, previous));
        return segment;
    }

    private synchronized void create(ByteBuffer header) throws IOException {
        isNewest = true;
        file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        writeFully(file, 0, header);
        isIndexed = true;
    }

    /**
     * Checks a file's head, which is written anew if it is torn. The file is not open afterwards.
     *
     * @param path of the file
     * @param brokerId whose reports it must have
     * @param previous first report of the file before; 0 if there is none, and then any is taken
     * @param openSegments gets it whenever it is read
     * @throws IOException if it is the file of another broker, or another one was before it
     */
    static ReportSegment open(Path path, int brokerId, long previous, OpenSegments openSegments) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (file.size() < HEADER_LENGTH) {
                file.truncate(0);
                writeFully(file, 0, header(brokerId, previous));
            }
            ByteBuffer found = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
            readFully(file, path, 0, found);
            found.flip();
            long expected = previous == 0 ? found.getLong(HEADER_LENGTH - Long.BYTES) : previous;
            if (!found.equals(header(brokerId, expected))) {
                throw new IOException("reports: " + path + " does not hold the reports of broker "
                        + Integer.toUnsignedString(brokerId) + " after the file of report " + expected);
            }
        }
        return new ReportSegment(path, openSegments);
    }

    long firstSequence() {
        return firstSequence;
    }

    /**
     * Cuts off the first chunk that is not whole and all after it: a crash left it, and its reports are produced again.
     * For the newest file, before anything else.
     *
     * @return how many reports are left
     */
    synchronized long mend() throws IOException {
        isNewest = true;
        index(true);
        channel().truncate(index.end());
        isDirty = true; // The process that wrote it may have ended before it forced it.
        return index.nextReport() - firstSequence;
    }

    /**
     * Appends chunks.
     *
     * @param chunks whole chunks, beginning with the report after the last one
     */
    void write(byte[] chunks, int length) throws IOException {
        FileChannel channel;
        long at;
        synchronized (this) {
            index(false);
            channel = channel();
            at = index.end();
        }
        writeFully(channel, at, ByteBuffer.wrap(chunks, 0, length));
        isDirty = true;
        synchronized (this) {
            for (int chunk = 0; chunk < length; chunk += ReportChunk.length(chunks, chunk)) {
                index.add(ReportChunk.count(chunks, chunk), ReportChunk.length(chunks, chunk));
            }
        }
    }

    /** Ends the time in which it is the newest file: nothing is appended any more. */
    void retire() throws IOException {
        isNewest = false;
        noteUse();
    }

    /**
     * Reads reports in order.
     *
     * @param out receives whole reports from {@code at} on
     * @return how many: at least one, at most {@code count}
     * @throws OperatingFailureException if the chunk of the first one is damaged
     */
    int read(long from, int count, byte[] out, int at) throws IOException {
        ReportMaker maker = new ReportMaker();
        int taken = 0;
        byte[] stretch = stretch(from);
        for (int chunk = 0; taken < count && isWithin(stretch, chunk); chunk += ReportChunk.length(stretch, chunk)) {
            long wanted = from + taken;
            if (wanted >= ReportChunk.first(stretch, chunk) + ReportChunk.count(stretch, chunk)) {
                continue;
            }
            if (!has(stretch, chunk, wanted)) {
                break;
            }
            taken += make(maker, stretch, chunk, wanted, count - taken, out, at + taken * ReportStore.RECORD_LENGTH);
        }
        if (taken == 0) {
            throw damaged(from);
        }
        return taken;
    }

    /** Returns whether a chunk, damaged or not, begins and ends in a stretch. */
    private static boolean isWithin(byte[] stretch, int chunk) {
        return stretch.length - chunk >= ReportChunk.HEAD_LENGTH
                && ReportChunk.runLength(stretch, chunk) > 0
                && ReportChunk.runLength(stretch, chunk) <= stretch.length - chunk - ReportChunk.HEADER_LENGTH;
    }

    /** Returns whether a chunk that ends after a report begins at or before it, and is undamaged. */
    private static boolean has(byte[] stretch, int chunk, long sequence) {
        return ReportChunk.first(stretch, chunk) <= sequence && ReportChunk.isWhole(stretch, chunk);
    }

    private static int make(ReportMaker maker, byte[] bytes, int chunk, long wanted, int count, byte[] out, int outAt) {
        maker.begin(bytes, chunk + ReportChunk.HEADER_LENGTH, ReportChunk.runLength(bytes, chunk));
        for (long at = ReportChunk.first(bytes, chunk); at < wanted; at++) {
            maker.next();
        }
        int made = 0;
        while (made < count && maker.hasNext()) {
            maker.next();
            maker.get(out, outAt + made * ReportStore.RECORD_LENGTH);
            made++;
        }
        return made;
    }

    /**
     * Reads the run that has a report.
     *
     * @throws OperatingFailureException if it is damaged
     */
    byte[] run(long sequence) throws IOException {
        byte[] stretch = stretch(sequence);
        for (int chunk = 0; isWithin(stretch, chunk); chunk += ReportChunk.length(stretch, chunk)) {
            if (sequence < ReportChunk.first(stretch, chunk) + ReportChunk.count(stretch, chunk)) {
                if (!has(stretch, chunk, sequence)) {
                    break;
                }
                int at = chunk + ReportChunk.HEADER_LENGTH;
                return Arrays.copyOfRange(stretch, at, at + ReportChunk.runLength(stretch, chunk));
            }
        }
        throw damaged(sequence);
    }

    private OperatingFailureException damaged(long sequence) {
        return new OperatingFailureException("reports: " + path + ": the chunk of report " + sequence + " is damaged");
    }

    /** Reads the chunks from an indexed one on, among which a report is. */
    private byte[] stretch(long sequence) throws IOException {
        while (true) {
            FileChannel channel;
            long offset;
            byte[] stretch;
            try {
                synchronized (this) {
                    index(false);
                    channel = channel();
                    int entry = stretchOf(sequence, channel);
                    offset = index.offset(entry);
                    stretch = new byte[(int) (index.endOf(entry) - offset)];
                }
            } finally {
                noteUse();
            }
            try {
                readFully(channel, path, offset, ByteBuffer.wrap(stretch));
                return stretch;
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (ClosedChannelException e) {
                // Closed for another file, or another reader was interrupted: opened again, unless it is closed for
                // good.
            }
        }
    }

    /** Returns the entry of the stretch in which a report is. Guarded by this. */
    private int stretchOf(long sequence, FileChannel channel) throws IOException {
        int entry = index.entryOf(sequence);
        if (entry < 0) {
            throw damaged(sequence);
        }
        if (index.isForgotten(entry)) {
            ReportIndex walked = new ReportIndex(index.report(entry), index.offset(entry));
            walk(channel, walked, index.endOf(entry), false);
            index.remember(entry, walked);
        }
        return index.entryOf(sequence);
    }

    /**
     * Returns whether the first report belongs to a block, or to an earlier one; false if there is no report. Reads the
     * first chunk alone.
     *
     * @throws OperatingFailureException if the chunk is damaged
     */
    boolean beginsAtOrBefore(long block) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            byte[] chunk = new byte[(int) Math.min(ReportChunk.LENGTH_MAX, channel.size() - HEADER_LENGTH)];
            if (chunk.length == 0) {
                return false;
            }
            readFully(channel, path, HEADER_LENGTH, ByteBuffer.wrap(chunk));
            if (!isWithin(chunk, 0) || !ReportChunk.isWhole(chunk, 0)) {
                throw damaged(firstSequence);
            }
            return ReportRun.block(chunk, ReportChunk.HEADER_LENGTH) <= block;
        }
    }

    /** Returns the number of reports according to the heads of its chunks. */
    long count() throws IOException {
        try {
            synchronized (this) {
                index(false);
                return index.nextReport() - firstSequence;
            }
        } finally {
            noteUse();
        }
    }

    /**
     * Cuts off a report and all later ones. For the newest file, as which this one goes on.
     *
     * @throws OperatingFailureException if no run begins with it
     */
    synchronized void cutFrom(long sequence) throws IOException {
        isNewest = true;
        openSegments.forget(this);
        index(false);
        if (sequence == index.nextReport()) {
            return;
        }
        int entry = index.entryOf(sequence);
        long first = index.report(entry);
        long offset = index.offset(entry);
        byte[] head = new byte[ReportChunk.HEAD_LENGTH];
        while (first < sequence) {
            readFully(channel(), path, offset, ByteBuffer.wrap(head));
            first += ReportChunk.count(head, 0);
            offset += ReportChunk.length(head, 0);
        }
        if (first != sequence) {
            throw new OperatingFailureException("reports: " + path + ": no run begins with report " + sequence);
        }
        index.cutFrom(sequence, offset);
        channel().truncate(offset);
        isDirty = true;
    }

    /** Forces the newest file to disk. */
    void sync() throws IOException {
        if (isDirty) {
            FileChannel channel;
            synchronized (this) {
                channel = channel();
            }
            channel.force(false);
            isDirty = false;
        }
    }

    void delete() throws IOException {
        close();
        Files.delete(path);
    }

    /** Takes the name away; readers go on until {@link #close()}, or until the file is closed for another one. */
    void unlink() throws IOException {
        Files.delete(path);
    }

    /** Closes the file and forgets most of its index; the next read opens it again. */
    synchronized void release() throws IOException {
        if (isNewest) {
            return;
        }
        closeFile();
        index.forgetStretches();
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        openSegments.forget(this);
        closeFile();
    }

    private void closeFile() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    /**
     * Returns the open file. Guarded by this; a caller whose file is not the newest calls {@link #noteUse()}
     * afterwards, without the lock.
     *
     * @throws ClosedChannelException if it is closed for good
     * @throws java.nio.file.NoSuchFileException if it was unlinked
     */
    private FileChannel channel() throws IOException {
        if (isClosed) {
            throw new ClosedChannelException();
        }
        if (file == null || !file.isOpen()) {
            file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
        return file;
    }

    private void noteUse() throws IOException {
        if (!isNewest) {
            openSegments.use(this);
        }
    }

    /**
     * Walks over the chunks once, to where they end: at the end of the file or at bytes that cannot be the next chunk.
     *
     * @param isChecked whether it ends at the first damaged chunk, too
     */
    private void index(boolean isChecked) throws IOException {
        if (!isIndexed) {
            FileChannel channel = channel();
            walk(channel, index, channel.size(), isChecked);
            isIndexed = true;
        }
    }

    /** Adds the chunks after the end of an index, up to an offset or to the first bytes that are no chunk. */
    private void walk(FileChannel channel, ReportIndex walked, long limit, boolean isChecked) throws IOException {
        byte[] window = new byte[WALK_LENGTH];
        while (limit - walked.end() >= ReportChunk.HEAD_LENGTH) {
            int length = (int) Math.min(window.length, limit - walked.end());
            readFully(channel, path, walked.end(), ByteBuffer.wrap(window, 0, length));
            int at = 0;
            while (length - at >= ReportChunk.HEAD_LENGTH) {
                if (!ReportChunk.isHeadOf(walked.nextReport(), window, at)) {
                    return;
                }
                int chunkLength = ReportChunk.length(window, at);
                if (at + chunkLength > length) {
                    break; // The next window begins with it, unless the file ends first.
                }
                if (isChecked && !ReportChunk.isWhole(window, at)) {
                    return;
                }
                walked.add(ReportChunk.count(window, at), chunkLength);
                at += chunkLength;
            }
            if (at == 0) {
                return; // Torn: it would go on after the end of the file.
            }
        }
    }

    /** Returns whether a file that begins with these bytes has reports, of whichever broker. */
    static boolean isHeader(ByteBuffer bytes) {
        ByteBuffer header = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return header.remaining() == HEADER_LENGTH
                && header.getLong() == MAGIC
                && header.getLong() >>> Integer.SIZE == 0;
    }

    private static ByteBuffer header(int brokerId, long previous) {
        return ByteBuffer.allocate(HEADER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(brokerId)
                .putInt(0)
                .putLong(previous)
                .flip();
    }

    private static void writeFully(FileChannel file, long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    private static void readFully(FileChannel file, Path path, long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            int length = file.read(bytes, at);
            if (length < 0) {
                throw new EOFException("reports: " + path + " ends at byte " + at);
            }
            at += length;
        }
    }
}
