package io.sealbook.engine.reports;

import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.RecordPacker;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * One file of a report store, named for its first report.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       "SBRPRTS2"
 *   8       4       broker id
 *   12      4       length of an unpacked report
 *   16      ...     chunks, see {@link ReportChunk}
 * </pre>
 *
 * A sparse index in memory, made by a walk over the chunks' headers, gives the place to begin to read. One thread
 * writes, any thread reads.
 */
final class ReportSegment implements AutoCloseable {
    private static final String SUFFIX = ".reports";
    private static final long MAGIC = 0x3253_5452_5052_4253L; // "SBRPRTS2"
    static final int HEADER_LENGTH = 16;
    /** The index has an entry for a chunk that begins at least this many bytes after the last indexed one. */
    private static final int STRETCH_LENGTH = 4 << 10;

    private static final int WALK_LENGTH = 64 << 10;

    private final Path path;
    private final FileChannel file;
    private final long firstSequence;
    private final int recordLength;
    private final int packedLengthMax;
    private boolean isDirty;

    // Guarded by this.
    private boolean isIndexed;
    private long[] indexedReports = new long[16];
    private long[] indexedOffsets = new long[16];
    private int indexedCount;
    private long end = HEADER_LENGTH;
    private long nextReport;

    private ReportSegment(Path path, FileChannel file, int recordLength) {
        this.path = path;
        this.file = file;
        this.recordLength = recordLength;
        this.packedLengthMax = new RecordPacker(recordLength).packedLengthMax();
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

    static ReportSegment create(Path directory, long firstSequence, int brokerId, int recordLength) throws IOException {
        Path path = directory.resolve(String.format("%020d%s", firstSequence, SUFFIX));
        FileChannel file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        ReportSegment segment = new ReportSegment(path, file, recordLength);
        segment.writeFully(0, header(brokerId, recordLength));
        segment.isIndexed = true;
        return segment;
    }

    static ReportSegment open(Path path, int brokerId, int recordLength) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        ReportSegment segment = new ReportSegment(path, file, recordLength);
        if (file.size() < HEADER_LENGTH) {
            file.truncate(0);
            segment.writeFully(0, header(brokerId, recordLength));
        }
        ByteBuffer found = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        segment.readFully(0, found);
        if (!found.flip().equals(header(brokerId, recordLength))) {
            throw new IOException(
                    "reports: " + path + " does not hold reports of " + recordLength + " bytes for broker " + brokerId);
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
        long offset;
        int length;
        synchronized (this) {
            index(false);
            int entry = entryOf(from);
            offset = indexedOffsets[entry];
            long next = entry + 1 < indexedCount ? indexedOffsets[entry + 1] : end;
            length = (int) (next - offset);
        }
        byte[] stretch = new byte[length + packedLengthMax + RecordPacker.SLACK];
        readFully(offset, ByteBuffer.wrap(stretch, 0, length));
        RecordPacker packer = new RecordPacker(recordLength);
        int taken = 0;
        for (int chunk = 0; chunk < length && taken < count; chunk += ReportChunk.length(stretch, chunk)) {
            long wanted = from + taken;
            if (wanted >= ReportChunk.first(stretch, chunk) + ReportChunk.count(stretch, chunk)) {
                continue;
            }
            if (!ReportChunk.isWhole(stretch, chunk)) {
                if (taken > 0) {
                    return taken;
                }
                throw new OperatingFailureException(
                        "reports: " + path + ": the chunk of report " + wanted + " is damaged, at " + (offset + chunk));
            }
            taken += unpack(packer, stretch, chunk, wanted, count - taken, out, at + taken * recordLength);
        }
        if (taken == 0) {
            throw new OperatingFailureException("reports: " + path + ": no chunk has report " + from);
        }
        return taken;
    }

    private int unpack(RecordPacker packer, byte[] bytes, int chunk, long wanted, int count, byte[] out, int outAt) {
        long first = ReportChunk.first(bytes, chunk);
        int last = (int) Math.min(ReportChunk.count(bytes, chunk), wanted + count - first);
        int skipped = (int) (wanted - first);
        int at = chunk + ReportChunk.HEADER_LENGTH;
        packer.reset();
        for (int i = 0; i < last; i++) {
            at = packer.unpack(bytes, at);
            if (i >= skipped) {
                packer.copy(out, outAt + (i - skipped) * recordLength);
            }
        }
        return last - skipped;
    }

    /** Returns the number of reports according to the headers of its chunks. */
    synchronized long count() throws IOException {
        index(false);
        return nextReport - firstSequence;
    }

    /** Returns at which report, at or before the given one, {@link #cutFrom} can cut. */
    synchronized long cutBefore(long sequence) throws IOException {
        index(false);
        return sequence >= nextReport ? nextReport : indexedReports[entryOf(sequence)];
    }

    /** Cuts off a report and all later ones; {@link #cutBefore} returned it. */
    synchronized void cutFrom(long sequence) throws IOException {
        if (sequence == nextReport) {
            return;
        }
        indexedCount = entryOf(sequence);
        end = indexedOffsets[indexedCount];
        nextReport = sequence;
        file.truncate(end);
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
        while (size - end >= ReportChunk.HEADER_LENGTH) {
            int length = (int) Math.min(window.length, size - end);
            readFully(end, ByteBuffer.wrap(window, 0, length));
            int at = 0;
            while (length - at >= ReportChunk.HEADER_LENGTH) {
                if (!ReportChunk.isHeaderOf(nextReport, window, at, packedLengthMax)) {
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

    /** Returns whether a file that begins with these bytes has reports of a length, of whichever broker. */
    static boolean isHeader(ByteBuffer bytes, int recordLength) {
        ByteBuffer header = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        return header.remaining() == HEADER_LENGTH
                && header.equals(header(header.getInt(header.position() + Long.BYTES), recordLength));
    }

    private static ByteBuffer header(int brokerId, int recordLength) {
        return ByteBuffer.allocate(HEADER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(brokerId)
                .putInt(recordLength)
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
