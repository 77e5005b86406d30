package io.sealbook.engine.reports;

import io.sealbook.engine.monitor.BrokenInvariantException;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All execution reports of one broker, in report order, from sequence 1 on. Records have one length, so report n is found by
 * arithmetic; the newest are read from the page cache, so no copy is kept on the heap.
 *
 * <p>One thread appends, flushes, truncates; any thread reads what {@link #last()} has announced.
 */
public final class ReportStore implements AutoCloseable {
    /** Bytes of one record: an SBE ExecutionReport with its header. */
    public static final int RECORD_LENGTH = OutputMessages.REPORT_LENGTH;

    private static final int STAGED_MAX = 1024;
    private static final int TEMPLATE_OFFSET = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int SCHEMA_OFFSET = MessageHeaderDecoder.schemaIdEncodingOffset();
    private static final int VERSION_OFFSET = MessageHeaderDecoder.versionEncodingOffset();
    private static final int SEQUENCE_OFFSET =
            MessageHeaderDecoder.ENCODED_LENGTH + ExecutionReportDecoder.reportSequenceEncodingOffset();

    private final Path directory;
    private final int brokerId;
    private final int perSegment;
    private final ConcurrentSkipListMap<Long, ReportSegment> segments = new ConcurrentSkipListMap<>();
    /** Without a name already, still open for those who read. */
    private final List<ReportSegment> removed = new ArrayList<>();

    private final ByteBuffer staged = ByteBuffer.allocateDirect(STAGED_MAX * RECORD_LENGTH);
    private long appended;
    private volatile long last;

    private ReportStore(Path directory, int brokerId, int perSegment) {
        this.directory = directory;
        this.brokerId = brokerId;
        this.perSegment = perSegment;
    }

    /**
     * Opens a broker's store; a torn last record is cut.
     *
     * @param perSegment reports in one file; must be the same at every start
     */
    public static ReportStore open(Path directory, int brokerId, int perSegment) {
        ReportStore store = new ReportStore(directory, brokerId, perSegment);
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.filter(ReportSegment::isSegment).toList()) {
                    ReportSegment segment = ReportSegment.open(file, brokerId);
                    store.segments.put(segment.firstSequence(), segment);
                }
            }
            store.checkSegments();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot open " + directory, e);
        }
        return store;
    }

    public int brokerId() {
        return brokerId;
    }

    /** Returns the last report that can be read; 0 when there is none. */
    public long last() {
        return last;
    }

    /** Returns the first report kept; larger than 1 once old files have been removed. */
    public long first() {
        Map.Entry<Long, ReportSegment> segment = segments.firstEntry();
        return segment == null ? 1 : segment.getKey();
    }

    /**
     * Takes the next report; it can be read after {@link #flush()}.
     *
     * @throws BrokenInvariantException if its sequence does not follow the last one
     */
    void append(long sequence, DirectBuffer buffer, int offset) {
        if (sequence != appended + 1) {
            throw new BrokenInvariantException(
                    "reports: broker " + brokerId + ": report " + sequence + " came after " + appended);
        }
        if (!staged.hasRemaining() || isSegmentStart(sequence)) {
            flush();
        }
        buffer.getBytes(offset, staged, RECORD_LENGTH);
        appended = sequence;
    }

    /** Writes what was appended and announces it. Returns whether there was anything. */
    boolean flush() {
        if (staged.position() == 0) {
            return false;
        }
        staged.flip();
        long from = last + 1;
        try {
            segmentOf(from).write(from, staged);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write for broker " + brokerId, e);
        }
        staged.clear();
        last = appended;
        return true;
    }

    /** Forces everything announced to disk. */
    void sync() {
        try {
            for (ReportSegment segment : segments.values()) {
                segment.sync();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot sync for broker " + brokerId, e);
        }
    }

    /** Forgets every report after {@code sequence}; they will be produced again. */
    void truncateAfter(long sequence) {
        try {
            for (ReportSegment segment : segments.tailMap(sequence, false).values()) {
                segment.delete();
            }
            segments.tailMap(sequence, false).clear();
            Map.Entry<Long, ReportSegment> segment = segments.lastEntry();
            if (segment != null) {
                segment.getValue().truncateAfter(sequence);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot truncate for broker " + brokerId, e);
        }
        last = Math.min(last, sequence);
        appended = last;
    }

    /** The whole record has no checksum, because it is sent as it stands; that it is a report and which one is checked. */
    private void checkRecords(long from, int count, ByteBuffer bytes, int start) {
        UnsafeBuffer records = new UnsafeBuffer(bytes, start, count * RECORD_LENGTH);
        for (int i = 0; i < count; i++) {
            int at = i * RECORD_LENGTH;
            boolean isReport = records.getShort(at, ByteOrder.LITTLE_ENDIAN) == ExecutionReportDecoder.BLOCK_LENGTH
                    && records.getShort(at + TEMPLATE_OFFSET, ByteOrder.LITTLE_ENDIAN)
                            == ExecutionReportDecoder.TEMPLATE_ID
                    && records.getShort(at + SCHEMA_OFFSET, ByteOrder.LITTLE_ENDIAN) == ExecutionReportDecoder.SCHEMA_ID
                    && records.getShort(at + VERSION_OFFSET, ByteOrder.LITTLE_ENDIAN)
                            == ExecutionReportDecoder.SCHEMA_VERSION;
            long found = records.getLong(at + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
            if (!isReport || found != from + i) {
                throw new IllegalStateException("reports: broker " + brokerId + ": the record of report " + (from + i)
                        + " is damaged: " + (isReport ? "it says " + found : "it is no report"));
            }
        }
    }

    /**
     * Removes files whose reports all belong to blocks at or before {@code block}; the newest file stays. Whoever reads from one of
     * them right now can finish: its channel is closed the next time.
     *
     * @param needed this report stays and all behind it, because a snapshot counts on it
     * @return how many were removed
     */
    int pruneBefore(long block, long needed) {
        try {
            for (ReportSegment segment : removed) {
                segment.close();
            }
            removed.clear();
            while (segments.size() > 1
                    && segments.firstKey() + perSegment <= needed
                    && lastBlockOf(segments.firstEntry().getValue()) <= block) {
                ReportSegment segment = segments.pollFirstEntry().getValue();
                segment.unlink();
                removed.add(segment);
            }
            return removed.size();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot remove old files of broker " + brokerId, e);
        }
    }

    /** Returns the block of a full segment's last report. */
    private long lastBlockOf(ReportSegment segment) throws IOException {
        ByteBuffer record = ByteBuffer.allocate(RECORD_LENGTH);
        segment.read(segment.firstSequence() + perSegment - 1, 1, record);
        return new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(record), 0, new MessageHeaderDecoder())
                .blockSequence();
    }

    /**
     * Reads reports in order.
     *
     * @param from first report wanted, {@code first()..last()}
     * @param bytes receives whole records
     * @return number of records read: at least one, and fewer than fit when a file ends or the store does
     * @throws IllegalStateException if a record is not the report that belongs there: the file is damaged
     */
    public int read(long from, ByteBuffer bytes) {
        Map.Entry<Long, ReportSegment> segment = segments.floorEntry(from);
        if (segment == null || from > last) {
            throw new IllegalArgumentException(
                    "reports: broker " + brokerId + " has " + first() + ".." + last + ", asked for " + from);
        }
        long end = Math.min(last, segment.getKey() + perSegment - 1);
        int count = (int) Math.min(end - from + 1, bytes.remaining() / RECORD_LENGTH);
        try {
            int start = bytes.position();
            segment.getValue().read(from, count, bytes);
            checkRecords(from, count, bytes, start);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read for broker " + brokerId, e);
        }
        return count;
    }

    @Override
    public void close() {
        try {
            for (ReportSegment segment : segments.values()) {
                segment.close();
            }
            for (ReportSegment segment : removed) {
                segment.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot close for broker " + brokerId, e);
        }
    }

    private boolean isSegmentStart(long sequence) {
        return (sequence - 1) % perSegment == 0;
    }

    private ReportSegment segmentOf(long sequence) throws IOException {
        long first = (sequence - 1) / perSegment * perSegment + 1;
        ReportSegment segment = segments.get(first);
        if (segment == null) {
            segment = ReportSegment.create(directory, first, brokerId);
            segments.put(first, segment);
        }
        return segment;
    }

    private void checkSegments() throws IOException {
        long expected = first();
        for (Map.Entry<Long, ReportSegment> entry : segments.entrySet()) {
            if (entry.getKey() != expected || (expected - 1) % perSegment != 0) {
                throw new IOException("reports: broker " + brokerId + ": a file starts at report " + entry.getKey()
                        + ", expected " + expected);
            }
            expected = entry.getKey() + entry.getValue().count();
        }
        last = expected - 1;
        appended = last;
    }
}
