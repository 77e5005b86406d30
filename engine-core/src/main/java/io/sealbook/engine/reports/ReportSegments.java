package io.sealbook.engine.reports;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The files of one broker's reports: {@code perSegment} reports in each, in order and without gaps. One thread writes,
 * cuts and removes; any thread reads.
 */
final class ReportSegments implements AutoCloseable {
    private final Path directory;
    private final int brokerId;
    private final int perSegment;
    private final ConcurrentSkipListMap<Long, ReportSegment> segments = new ConcurrentSkipListMap<>();
    /** Unlinked segments kept open until their readers finish. */
    private final List<ReportSegment> removed = new ArrayList<>();

    /** Last report when the files were opened; 0 when there was none. */
    private long lastAtOpen;

    private ReportSegments(Path directory, int brokerId, int perSegment) {
        this.directory = directory;
        this.brokerId = brokerId;
        this.perSegment = perSegment;
    }

    /**
     * Opens the files; a torn last record is cut.
     *
     * @param directory is made if it does not exist; belongs to these files alone
     * @param brokerId whose reports; files of another broker are refused
     * @param perSegment reports in one file; must be the same at every start
     */
    static ReportSegments open(Path directory, int brokerId, int perSegment) {
        ReportSegments opened = new ReportSegments(directory, brokerId, perSegment);
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.filter(ReportSegment::isSegment).toList()) {
                    ReportSegment segment = ReportSegment.open(file, brokerId, ReportStore.RECORD_LENGTH);
                    opened.segments.put(segment.firstSequence(), segment);
                }
            }
            opened.lastAtOpen = opened.check();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot open " + directory, e);
        }
        return opened;
    }

    /** Returns the first report kept; larger than 1 once old files have been removed. */
    long first() {
        Map.Entry<Long, ReportSegment> segment = segments.firstEntry();
        return segment == null ? 1 : segment.getKey();
    }

    /** Returns the last report when the files were opened; 0 when there was none. */
    long lastAtOpen() {
        return lastAtOpen;
    }

    boolean isStart(long sequence) {
        return (sequence - 1) % perSegment == 0;
    }

    /** Returns how many reports go into the file of a report, from this one on. */
    int roomFrom(long sequence) {
        return perSegment - (int) ((sequence - 1) % perSegment);
    }

    /**
     * Writes chunks that follow the last report, all of one file.
     *
     * @param firstSequence first report of the chunks
     * @param chunks in {@code 0..length}
     * @param length in bytes
     */
    void write(long firstSequence, byte[] chunks, int length) {
        try {
            segmentOf(firstSequence).write(chunks, length);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write for broker " + brokerId, e);
        }
    }

    /** Forces everything written to disk. */
    void sync() {
        try {
            for (ReportSegment segment : segments.values()) {
                segment.sync();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot sync for broker " + brokerId, e);
        }
    }

    /**
     * Cuts every report after one. Reports are packed as differences, so that the whole chunk of the first one goes.
     *
     * @param sequence last report that stays
     * @return the reports up to {@code sequence} that went with their chunk, whole, to be written again
     */
    ByteBuffer cutAfter(long sequence) {
        try {
            for (ReportSegment segment : segments.tailMap(sequence, false).values()) {
                segment.delete();
            }
            segments.tailMap(sequence, false).clear();
            if (segments.isEmpty()) {
                return ByteBuffer.allocate(0);
            }
            ReportSegment segment = segments.lastEntry().getValue();
            long from = segment.cutBefore(sequence + 1);
            ByteBuffer kept = ByteBuffer.allocate((int) (sequence - from + 1) * ReportStore.RECORD_LENGTH);
            for (long next = from; next <= sequence; ) {
                next += read(next, sequence, kept);
            }
            segment.cutFrom(from);
            return kept.flip();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot truncate for broker " + brokerId, e);
        }
    }

    /**
     * Removes files whose reports all belong to blocks at or before {@code block}; the newest file stays. A reader of
     * one of them can finish: its channel is closed the next time.
     *
     * @param block last block that is not needed any more
     * @param needed this report and all later ones stay, because a snapshot relies on them
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
        byte[] record = new byte[ReportStore.RECORD_LENGTH];
        segment.read(segment.firstSequence() + perSegment - 1, 1, record, 0);
        return new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(record), 0, new MessageHeaderDecoder())
                .blockSequence();
    }

    /**
     * Reads reports in order.
     *
     * @param from first report wanted, at least 1
     * @param through last one that may be read, at least {@code from}
     * @param bytes receives whole records; has an array and room for one
     * @return number of records read, fewer than fit when a stretch of the file ends or {@code through} is reached; 0
     *     only when the first one has been removed
     * @throws IllegalStateException if the chunk of the first record is damaged
     * @throws UncheckedIOException if the file cannot be read
     */
    int read(long from, long through, ByteBuffer bytes) {
        Map.Entry<Long, ReportSegment> segment = segments.floorEntry(from);
        if (segment == null) {
            return 0;
        }
        long end = Math.min(through, segment.getKey() + perSegment - 1);
        int wanted = (int) Math.min(end - from + 1, bytes.remaining() / ReportStore.RECORD_LENGTH);
        try {
            int count = segment.getValue().read(from, wanted, bytes.array(), bytes.arrayOffset() + bytes.position());
            bytes.position(bytes.position() + count * ReportStore.RECORD_LENGTH);
            return count;
        } catch (ClosedChannelException e) {
            if (from < first()) {
                return 0;
            }
            throw new UncheckedIOException("reports: cannot read for broker " + brokerId, e);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read for broker " + brokerId, e);
        }
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

    private ReportSegment segmentOf(long sequence) throws IOException {
        long first = (sequence - 1) / perSegment * perSegment + 1;
        ReportSegment segment = segments.get(first);
        if (segment == null) {
            segment = ReportSegment.create(directory, first, brokerId, ReportStore.RECORD_LENGTH);
            segments.put(first, segment);
        }
        return segment;
    }

    /**
     * Files follow each other without gap, and all but the newest are full. Only the last two can have suffered from a
     * crash.
     */
    private long check() throws IOException {
        if (segments.isEmpty()) {
            return 0;
        }
        ReportSegment newest = segments.lastEntry().getValue();
        Map.Entry<Long, ReportSegment> before = segments.lowerEntry(newest.firstSequence());
        long expected = first();
        for (long firstSequence : segments.keySet()) {
            if (firstSequence != expected || !isStart(expected)) {
                throw new IOException("reports: broker " + brokerId + ": a file starts at report " + firstSequence
                        + ", expected " + expected);
            }
            expected += perSegment;
        }
        if (before != null && before.getValue().count() != perSegment) {
            throw new IOException("reports: broker " + brokerId + ": the file of report " + before.getKey() + " has "
                    + before.getValue().count() + " reports, expected " + perSegment);
        }
        return newest.firstSequence() + newest.mend() - 1;
    }
}
