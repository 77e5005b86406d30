package io.sealbook.engine.reports;

import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * The files of one broker's reports, in order and without gaps: a file ends with the run that brings it to
 * {@code perSegment} reports. One thread writes, cuts and removes; any thread reads.
 */
final class ReportSegments implements AutoCloseable {
    private final Path directory;
    private final int brokerId;
    private final int perSegment;
    private final Durability durability;
    private final OpenSegments openSegments;
    private final ConcurrentSkipListMap<Long, ReportSegment> segments = new ConcurrentSkipListMap<>();
    /** Unlinked segments whose readers may finish. */
    private final List<ReportSegment> removed = new ArrayList<>();

    /** Whether the names of all files are on disk; an earlier process may have ended before that. */
    private boolean areNamesForced;

    /** Last report when the files were opened; 0 when there was none. */
    private long lastAtOpen;

    private ReportSegments(
            Path directory, int brokerId, int perSegment, Durability durability, OpenSegments openSegments) {
        this.directory = directory;
        this.brokerId = brokerId;
        this.perSegment = perSegment;
        this.durability = durability;
        this.openSegments = openSegments;
    }

    /**
     * Opens the files; a torn last record is cut.
     *
     * @param directory is made if it does not exist; belongs to these files alone
     * @param brokerId whose reports; files of another broker are refused
     * @param perSegment reports after which another file is begun
     * @param durability whether a full file is forced to disk before the next one is begun
     * @param openSegments bounds the older files that are open
     */
    static ReportSegments open(
            Path directory, int brokerId, int perSegment, Durability durability, OpenSegments openSegments) {
        ReportSegments opened = new ReportSegments(directory, brokerId, perSegment, durability, openSegments);
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                long previous = 0;
                for (Path file : files.filter(ReportSegment::isSegment).sorted().toList()) {
                    ReportSegment segment = ReportSegment.open(file, brokerId, previous, openSegments);
                    previous = segment.firstSequence();
                    opened.segments.put(previous, segment);
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

    /**
     * Begins another file after a report, the last one that was written. If reports are to survive a loss of power, the
     * full file is forced to disk first: a newer file without the reports before it would be refused at each start.
     */
    void beginAfter(long last) {
        Map.Entry<Long, ReportSegment> full = segments.lastEntry();
        long previous = full == null ? 0 : full.getKey();
        if (full != null && durability.isDisk()) {
            sync();
        }
        areNamesForced = false;
        try {
            segments.put(last + 1, ReportSegment.create(directory, last + 1, brokerId, previous, openSegments));
            if (full != null) {
                full.getValue().retire();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write for broker " + brokerId, e);
        }
    }

    /** Returns whether the reports up to one leave no room in the newest file, or there is none. */
    boolean isFullWith(long last) {
        return segments.isEmpty() || last - segments.lastKey() + 1 >= perSegment;
    }

    /**
     * Writes chunks that follow the last report to the newest file.
     *
     * @param chunks in {@code 0..length}
     * @param length in bytes
     */
    void write(byte[] chunks, int length) {
        try {
            segments.lastEntry().getValue().write(chunks, length);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write for broker " + brokerId, e);
        }
    }

    /**
     * Forces everything written to disk, and then the names of the files. Full files were forced before the next one
     * was begun, if reports are to survive a loss of power.
     */
    void sync() {
        try {
            Map.Entry<Long, ReportSegment> newest = segments.lastEntry();
            if (newest != null) {
                newest.getValue().sync();
            }
            if (!areNamesForced) {
                try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
                    names.force(true);
                }
                areNamesForced = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot sync for broker " + brokerId, e);
        }
    }

    /**
     * Cuts every report after one, which must be the last of a run. The newest file goes first, so that an end at any
     * moment leaves no gap.
     */
    void cutAfter(long sequence) {
        try {
            while (!segments.isEmpty() && segments.lastKey() > sequence) {
                segments.lastEntry().getValue().delete();
                segments.pollLastEntry();
            }
            if (!segments.isEmpty()) {
                segments.lastEntry().getValue().cutFrom(sequence + 1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot truncate for broker " + brokerId, e);
        }
    }

    /**
     * Removes files after which another one begins at or before {@code block}, so that all their reports belong to
     * blocks up to it; the newest file stays. Reads one chunk of a file that stays, and one per file that is removed. A
     * reader of a removed file can finish: its channel is closed the next time, or for another file.
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
            while (segments.size() > 1) {
                Map.Entry<Long, ReportSegment> second = segments.higherEntry(segments.firstKey());
                if (second.getKey() > needed || !second.getValue().beginsAtOrBefore(block)) {
                    break;
                }
                ReportSegment segment = segments.pollFirstEntry().getValue();
                segment.unlink();
                removed.add(segment);
            }
            return removed.size();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot remove old files of broker " + brokerId, e);
        }
    }

    /**
     * Reads the run that has a report.
     *
     * @param sequence of a report that was written
     * @return empty if it has been removed
     * @throws OperatingFailureException if the run is damaged
     * @throws UncheckedIOException if the file cannot be read
     */
    Optional<byte[]> run(long sequence) {
        Map.Entry<Long, ReportSegment> segment = segments.floorEntry(sequence);
        try {
            return segment == null
                    ? Optional.empty()
                    : Optional.of(segment.getValue().run(sequence));
        } catch (ClosedChannelException | NoSuchFileException e) {
            if (sequence < first()) {
                return Optional.empty();
            }
            throw new UncheckedIOException("reports: cannot read for broker " + brokerId, e);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read for broker " + brokerId, e);
        }
    }

    /**
     * Reads reports in order.
     *
     * @param from first report wanted, at least 1
     * @param through last one that may be read, at least {@code from}
     * @param bytes receives whole records; has an array and room for one
     * @return number of records read, fewer than fit when a stretch of the file ends or {@code through} is reached; 0
     *     only when the first one has been removed
     * @throws OperatingFailureException if the chunk of the first record is damaged
     * @throws UncheckedIOException if the file cannot be read
     */
    int read(long from, long through, ByteBuffer bytes) {
        Map.Entry<Long, ReportSegment> segment = segments.floorEntry(from);
        if (segment == null) {
            return 0;
        }
        Long next = segments.higherKey(segment.getKey());
        long end = next == null ? through : Math.min(through, next - 1);
        int wanted = (int) Math.min(end - from + 1, bytes.remaining() / ReportStore.RECORD_LENGTH);
        try {
            int count = segment.getValue().read(from, wanted, bytes.array(), bytes.arrayOffset() + bytes.position());
            bytes.position(bytes.position() + count * ReportStore.RECORD_LENGTH);
            return count;
        } catch (ClosedChannelException | NoSuchFileException e) {
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

    /**
     * Files follow each other without gap: each names the one before, and only the last two can have suffered from a
     * crash.
     */
    private long check() throws IOException {
        if (segments.isEmpty()) {
            return 0;
        }
        ReportSegment newest = segments.lastEntry().getValue();
        Map.Entry<Long, ReportSegment> before = segments.lowerEntry(newest.firstSequence());
        if (before != null && before.getKey() + before.getValue().count() != newest.firstSequence()) {
            throw new IOException("reports: broker " + brokerId + ": the file of report " + before.getKey() + " has "
                    + before.getValue().count() + " reports, expected "
                    + (newest.firstSequence() - before.getKey()));
        }
        return newest.firstSequence() + newest.mend() - 1;
    }
}
