package io.sealbook.engine.reports;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One file of a report store, named for its first report.
 *
 * <pre>
 *   offset      length  meaning (little-endian)
 *   0           8       "SBRPRTS1"
 *   8           4       broker id
 *   12          4       length of a record
 *   16 + i len  len     report first + i: SBE ExecutionReport with its header
 * </pre>
 */
final class ReportSegment implements AutoCloseable {
    private static final String SUFFIX = ".reports";
    private static final long MAGIC = 0x3153_5452_5052_4253L; // "SBRPRTS1"
    private static final int HEADER_LENGTH = 16;

    private final Path path;
    private final FileChannel file;
    private final long firstSequence;
    private boolean isDirty;

    private ReportSegment(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
        String name = path.getFileName().toString();
        firstSequence = Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    static boolean isSegment(Path path) {
        return path.getFileName().toString().endsWith(SUFFIX);
    }

    static ReportSegment create(Path directory, long firstSequence, int brokerId) throws IOException {
        Path path = directory.resolve(String.format("%020d%s", firstSequence, SUFFIX));
        FileChannel file = FileChannel.open(
                path,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        ReportSegment segment = new ReportSegment(path, file);
        segment.writeFully(0, header(brokerId));
        return segment;
    }

    static ReportSegment open(Path path, int brokerId) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        ReportSegment segment = new ReportSegment(path, file);
        if (file.size() < HEADER_LENGTH) {
            file.truncate(0);
            segment.writeFully(0, header(brokerId));
        }
        ByteBuffer found = ByteBuffer.allocate(HEADER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        segment.readFully(0, found);
        if (!found.flip().equals(header(brokerId))) {
            throw new IOException("reports: " + path + " does not hold records of " + ReportStore.RECORD_LENGTH
                    + " bytes for broker " + brokerId);
        }
        segment.truncateAfter(segment.firstSequence + segment.count() - 1);
        return segment;
    }

    long firstSequence() {
        return firstSequence;
    }

    long count() throws IOException {
        return (file.size() - HEADER_LENGTH) / ReportStore.RECORD_LENGTH;
    }

    void write(long sequence, ByteBuffer records) throws IOException {
        writeFully(position(sequence), records);
        isDirty = true;
    }

    void read(long sequence, int count, ByteBuffer records) throws IOException {
        int limit = records.limit();
        records.limit(records.position() + count * ReportStore.RECORD_LENGTH);
        readFully(position(sequence), records);
        records.limit(limit);
    }

    void truncateAfter(long sequence) throws IOException {
        file.truncate(position(sequence + 1));
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

    /** Takes the name away; those who read go on until {@link #close()}. */
    void unlink() throws IOException {
        Files.delete(path);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private long position(long sequence) {
        return HEADER_LENGTH + (sequence - firstSequence) * ReportStore.RECORD_LENGTH;
    }

    private static ByteBuffer header(int brokerId) {
        return ByteBuffer.allocate(HEADER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(brokerId)
                .putInt(ReportStore.RECORD_LENGTH)
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
