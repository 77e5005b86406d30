package io.sealbook.engine.reports;

import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * A sparse index in memory, made by a walk over the chunks' heads, gives the place to begin to read. One thread writes,
 * any thread reads.
 */
final class ReportSegment implements AutoCloseable {
    private static final String SUFFIX = ".reports";
    private static final long MAGIC = 0x3353_5452_5052_4253L; // "SBRPRTS3"
    static final int HEADER_LENGTH = 24;
    /** The index has an entry for a chunk that begins at least this many bytes after the last indexed one. */
    private static final int STRETCH_LENGTH = 4 << 10;

    private static final int WALK_LENGTH = 64 << 10;

    private final Path path;
    private final FileChannel file;
    private final long firstSequence;
    /** Whether it may hold bytes that are not forced to disk. */
    private boolean isDirty;

    // Guarded by this.
    private boolean isIndexed;
    private long[] indexedReports = new long[16];
    private long[] indexedOffsets = new long[16];
    private int indexedCount;
    private long end = HEADER_LENGTH;
    private long nextReport;

    private ReportSegment(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
        firstSequence = firstSequenceOf(path);
        nextReport = firstSequence;
    }

    static boolean isSegment(Path path) {
        return path.getFileName().toString().endsWith(SUFFIX);
    }

    /** Returns the first report of a file, which its name has. */
    static long firstSequenceOf(Path path) {
        String name = path.getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    static ReportSegment create(Path directory, long firstSequence, int brokerId, long previous) throws IOException {
        Path path = directory.resolve(String.format(Locale.ROOT, "%020d%s", firstSequence, SUFFIX));
        FileChannel file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        ReportSegment segment = new ReportSegment(path, file);
        segment.writeFully(0, header(brokerId, previous));
        segment.isIndexed = true;
        return segment;
    }

    /**
     * Opens a file.
     *
     * @param path of the file
     * @param brokerId whose reports it must have
     * @param previous first report of the file before; 0 if there is none, and then any is taken
     * @throws IOException if it is the file of another broker, or another one was before it
     */
    static ReportSegment open(Path path, int brokerId, long previous) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        ReportSegment segment = new ReportSegment(path, file);
        if (file.size() < HEADER_LENGTH) {
            file.truncate(0);
            segment.writeFully(0, header(brokerId, previous));
        }
        ByteBuffer found = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        segment.readFully(0, found);
        found.flip();
        long expected = previous == 0 ? found.getLong(HEADER_LENGTH - Long.BYTES) : previous;
        if (!found.equals(header(brokerId, expected))) {
            throw new IOException("reports: " + path + " does not hold the reports of broker "
                    + Integer.toUnsignedString(brokerId) + " after the file of report " + expected);
        }
        return segment;
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
        index(true);
        file.truncate(end);
        isDirty = true; // The process that wrote it may have ended before it forced it.
        return nextReport - firstSequence;
    }

    /**
     * Appends chunks.
     *
     * @param chunks whole chunks, beginning with the report after the last one
     */
    void write(byte[] chunks, int length) throws IOException {
        writeFully(end(), ByteBuffer.wrap(chunks, 0, length));
        isDirty = true;
        synchronized (this) {
            for (int at = 0; at < length; at += ReportChunk.length(chunks, at)) {
                add(ReportChunk.count(chunks, at), ReportChunk.length(chunks, at));
            }
        }
    }

    private synchronized long end() throws IOException {
        index(false);
        return end;
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
            if (!ReportChunk.isWhole(stretch, chunk)) {
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
                if (!ReportChunk.isWhole(stretch, chunk)) {
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
        long offset;
        byte[] stretch;
        synchronized (this) {
            index(false);
            int entry = entryOf(sequence);
            offset = indexedOffsets[entry];
            long next = entry + 1 < indexedCount ? indexedOffsets[entry + 1] : end;
            stretch = new byte[(int) (next - offset)];
        }
        readFully(offset, ByteBuffer.wrap(stretch));
        return stretch;
    }

    /** Returns the number of reports according to the heads of its chunks. */
    synchronized long count() throws IOException {
        index(false);
        return nextReport - firstSequence;
    }

    /**
     * Cuts off a report and all later ones.
     *
     * @throws OperatingFailureException if no run begins with it
     */
    synchronized void cutFrom(long sequence) throws IOException {
        index(false);
        if (sequence == nextReport) {
            return;
        }
        int entry = entryOf(sequence);
        long first = indexedReports[entry];
        long offset = indexedOffsets[entry];
        byte[] head = new byte[ReportChunk.HEAD_LENGTH];
        while (first < sequence) {
            readFully(offset, ByteBuffer.wrap(head));
            first += ReportChunk.count(head, 0);
            offset += ReportChunk.length(head, 0);
        }
        if (first != sequence) {
            throw new OperatingFailureException("reports: " + path + ": no run begins with report " + sequence);
        }
        indexedCount = offset == indexedOffsets[entry] ? entry : entry + 1;
        end = offset;
        nextReport = sequence;
        file.truncate(end);
        isDirty = true;
    }

    void sync() throws IOException {
        if (isDirty) {
            file.force(false);
            isDirty = false;
        }
    }

    void delete() throws IOException {
        file.close();
        Files.delete(path);
    }

    /** Takes the name away; readers go on until {@link #close()}. */
    void unlink() throws IOException {
        Files.delete(path);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private int entryOf(long sequence) {
        int found = Arrays.binarySearch(indexedReports, 0, indexedCount, sequence);
        return found >= 0 ? found : -found - 2;
    }

    private void add(int count, int length) {
        if (indexedCount == 0 || end - indexedOffsets[indexedCount - 1] >= STRETCH_LENGTH) {
            if (indexedCount == indexedReports.length) {
                indexedReports = Arrays.copyOf(indexedReports, 2 * indexedCount);
                indexedOffsets = Arrays.copyOf(indexedOffsets, 2 * indexedCount);
            }
            indexedReports[indexedCount] = nextReport;
            indexedOffsets[indexedCount] = end;
            indexedCount++;
        }
        end += length;
        nextReport += count;
    }

    /**
     * Walks over the chunks once, to where they end: at the end of the file or at bytes that cannot be the next chunk.
     *
     * @param isChecked whether it ends at the first damaged chunk, too
     */
    private void index(boolean isChecked) throws IOException {
        if (isIndexed) {
            return;
        }
        isIndexed = true;
        long size = file.size();
        byte[] window = new byte[WALK_LENGTH];
        while (size - end >= ReportChunk.HEAD_LENGTH) {
            int length = (int) Math.min(window.length, size - end);
            readFully(end, ByteBuffer.wrap(window, 0, length));
            int at = 0;
            while (length - at >= ReportChunk.HEAD_LENGTH) {
                if (!ReportChunk.isHeadOf(nextReport, window, at)) {
                    return;
                }
                int chunkLength = ReportChunk.length(window, at);
                if (at + chunkLength > length) {
                    break; // The next window begins with it, unless the file ends first.
                }
                if (isChecked && !ReportChunk.isWhole(window, at)) {
                    return;
                }
                add(ReportChunk.count(window, at), chunkLength);
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

    private void writeFully(long position, ByteBuffer bytes) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    private void readFully(long position, ByteBuffer bytes) throws IOException {
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
