package io.sealbook.engine.reports;

import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.RecordPacker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * All execution reports of one broker, in report order, from sequence 1 on. They are packed while they are appended and
 * unpacked for readers; the newest are read from the page cache, so no copy is kept on the heap.
 *
 * <p>One thread appends, flushes, truncates; any thread reads up to {@link #last()}.
 */
public final class ReportStore implements AutoCloseable {
    /** Bytes of one record: an SBE ExecutionReport with its header. */
    public static final int RECORD_LENGTH = ReportRecord.LENGTH;

    private static final int STAGED_BYTES = 64 << 10;

    private final Path directory;
    private final int brokerId;
    private final int perSegment;
    private final ConcurrentSkipListMap<Long, ReportSegment> segments = new ConcurrentSkipListMap<>();
    /** Unlinked segments kept open until their readers finish. */
    private final List<ReportSegment> removed = new ArrayList<>();

    // The chunk being filled, after whole ones, all of one segment.
    private final RecordPacker packer = new RecordPacker(RECORD_LENGTH);
    private final int chunkLengthMax =
            ReportChunk.HEADER_LENGTH + ReportChunk.COUNT_MAX * packer.packedLengthMax() + RecordPacker.SLACK;
    private final byte[] staged = new byte[STAGED_BYTES];
    /** A report that came whole, to be packed. */
    private final byte[] whole = new byte[RECORD_LENGTH];

    private int stagedLength;
    private int chunkAt;
    private int chunkCount;

    private long appended;
    private volatile long last;
    private volatile long lastOfBlocks;
    private final RecentDigests digests = new RecentDigests();

    private ReportStore(Path directory, int brokerId, int perSegment) {
        this.directory = directory;
        this.brokerId = brokerId;
        this.perSegment = perSegment;
    }

    /**
     * Opens a broker's store; a torn last record is cut.
     *
     * @param directory is made if it does not exist; belongs to this store alone
     * @param brokerId whose reports; files of another broker are refused
     * @param perSegment reports in one file; must be the same at every start
     */
    public static ReportStore open(Path directory, int brokerId, int perSegment) {
        ReportStore store = new ReportStore(directory, brokerId, perSegment);
        try {
            Files.createDirectories(directory);
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.filter(ReportSegment::isSegment).toList()) {
                    ReportSegment segment = ReportSegment.open(file, brokerId, RECORD_LENGTH);
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

    /** Returns the last report of the last block whose reports can all be read; 0 when there is none. */
    public long lastOfBlocks() {
        return lastOfBlocks;
    }

    /** Returns the report that was appended last, flushed or not; for the thread that appends. */
    long appended() {
        return appended;
    }

    /** Returns the digest over the reports of a block among which a report is; empty if it is not remembered. */
    Optional<BrokerDigest> digestOf(long sequence) {
        return digests.of(sequence);
    }

    /** Takes the digest over the reports of the block that ends with the report appended last. */
    void onBlockEnd(BrokerDigest digest) {
        if (digest.end() != appended + 1) {
            throw new BrokenInvariantException("reports: broker " + brokerId + ": a block ends before report "
                    + digest.end() + ", the last one is " + appended);
        }
        digests.add(digest);
    }

    /** Announces that what was flushed ends with a block. */
    void announceBlock() {
        lastOfBlocks = last;
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
        checkFollows(sequence);
        if (isSegmentStart(sequence)) {
            flush();
        }
        if (chunkCount == ReportChunk.COUNT_MAX) {
            sealChunk();
        }
        if (chunkCount == 0) {
            beginChunk();
            packer.reset();
        }
        buffer.getBytes(offset, whole);
        stagedLength = packer.pack(whole, 0, staged, stagedLength);
        chunkCount++;
        appended = sequence;
    }

    /**
     * Takes the next reports packed; between two calls of {@link #flush} or {@link #truncateAfter} reports come all
     * packed or all whole.
     *
     * @param isFirst whether the first one is packed alone, as no other is; else as its difference to the report
     *     before, which came since the last flush
     * @param packed contains them in order in {@code offset..offset + length}
     * @throws BrokenInvariantException if the first does not follow the last one, or the report before is not here
     */
    void appendPacked(long firstSequence, int count, boolean isFirst, byte[] packed, int offset, int length) {
        checkFollows(firstSequence);
        if (isFirst) {
            if (chunkCount > 0) {
                sealChunk();
            }
            if (isSegmentStart(firstSequence)) {
                flush();
            }
            beginChunk();
        } else if (chunkCount == 0) {
            throw new BrokenInvariantException("reports: broker " + brokerId + ": report " + firstSequence
                    + " is packed as a difference to nothing");
        }
        int untilSegmentStart = untilSegmentStart(firstSequence, isFirst);
        if (count > untilSegmentStart) {
            appendSplit(firstSequence, count, untilSegmentStart, packed, offset, length);
        } else {
            appendToChunk(count, packed, offset, length);
        }
    }

    private void appendToChunk(int count, byte[] packed, int offset, int length) {
        if (chunkCount + count > ReportChunk.COUNT_MAX) {
            throw new BrokenInvariantException("reports: broker " + brokerId + ": " + (chunkCount + count)
                    + " reports after one that is packed alone, expected at most " + ReportChunk.COUNT_MAX);
        }
        System.arraycopy(packed, offset, staged, stagedLength, length);
        stagedLength += length;
        chunkCount += count;
        appended += count;
    }

    /** Returns how many reports go before the next segment begins. */
    private int untilSegmentStart(long firstSequence, boolean isFirst) {
        if (isSegmentStart(firstSequence)) {
            return isFirst ? perSegment : 0;
        }
        return perSegment - (int) ((firstSequence - 1) % perSegment);
    }

    /** Appends reports among which a new segment begins: its file begins with the report at {@code split}, alone. */
    private void appendSplit(long firstSequence, int count, int split, byte[] packed, int offset, int length) {
        RecordPacker unpacker = new RecordPacker(RECORD_LENGTH);
        int at = chunkAt + ReportChunk.HEADER_LENGTH;
        for (int i = 0; i < chunkCount; i++) {
            at = unpacker.unpack(staged, at);
        }
        byte[] padded =
                Arrays.copyOfRange(packed, offset, offset + length + unpacker.packedLengthMax() + RecordPacker.SLACK);
        int end = 0;
        for (int i = 0; i < split; i++) {
            end = unpacker.unpack(padded, end);
        }
        appendToChunk(split, padded, 0, end);
        int next = unpacker.unpack(padded, end);
        byte[] record = new byte[RECORD_LENGTH];
        unpacker.copy(record, 0);
        append(firstSequence + split, new UnsafeBuffer(record), 0);
        if (count > split + 1) {
            appendPacked(firstSequence + split + 1, count - split - 1, false, padded, next, length - next);
        }
    }

    private void checkFollows(long sequence) {
        if (sequence != appended + 1) {
            throw new BrokenInvariantException(
                    "reports: broker " + brokerId + ": report " + sequence + " came after " + appended);
        }
    }

    /** Begins a chunk where there is room for the longest. */
    private void beginChunk() {
        if (staged.length - stagedLength < chunkLengthMax) {
            flush();
        }
        chunkAt = stagedLength;
        stagedLength += ReportChunk.HEADER_LENGTH;
    }

    private void sealChunk() {
        int packedLength = stagedLength - chunkAt - ReportChunk.HEADER_LENGTH;
        ReportChunk.seal(staged, chunkAt, appended - chunkCount + 1, chunkCount, packedLength);
        chunkCount = 0;
    }

    /** Writes the appended reports and announces them. Returns whether there were any. */
    boolean flush() {
        if (appended == last) {
            return false;
        }
        if (chunkCount > 0) {
            sealChunk();
        }
        try {
            segmentOf(last + 1).write(staged, stagedLength);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write for broker " + brokerId, e);
        }
        stagedLength = 0;
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
        if (sequence >= last) {
            return;
        }
        try {
            for (ReportSegment segment : segments.tailMap(sequence, false).values()) {
                segment.delete();
            }
            segments.tailMap(sequence, false).clear();
            if (segments.isEmpty()) {
                announce(sequence);
                return;
            }
            ReportSegment segment = segments.lastEntry().getValue();
            long from = segment.cutBefore(sequence + 1);
            int keptCount = (int) (sequence - from + 1);
            ByteBuffer kept = ByteBuffer.allocate(keptCount * RECORD_LENGTH);
            for (long next = from; next <= sequence; ) {
                next += read(next, kept);
            }
            segment.cutFrom(from);
            announce(from - 1);
            UnsafeBuffer records = new UnsafeBuffer(kept.array());
            for (int i = 0; i < keptCount; i++) {
                append(from + i, records, i * RECORD_LENGTH);
            }
            flush();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot truncate for broker " + brokerId, e);
        }
    }

    private void announce(long sequence) {
        last = sequence;
        appended = sequence;
        lastOfBlocks = sequence;
    }

    /**
     * Removes files whose reports all belong to blocks at or before {@code block}; the newest file stays. Whoever reads
     * from one of them right now can finish: its channel is closed the next time.
     *
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
        byte[] record = new byte[RECORD_LENGTH];
        segment.read(segment.firstSequence() + perSegment - 1, 1, record, 0);
        return new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(record), 0, new MessageHeaderDecoder())
                .blockSequence();
    }

    /**
     * Reads reports in order.
     *
     * @param from first report wanted, {@code first()..last()}
     * @param bytes receives whole records; has an array and room for one
     * @return number of records read, fewer than fit when a stretch of the file ends or the store does; 0 only when the
     *     first one was deleted since {@link #first} named it or an earlier one
     * @throws IllegalArgumentException if the first one is not yet there
     * @throws IllegalStateException if the chunk of the first record is damaged
     * @throws UncheckedIOException if the file cannot be read
     */
    public int read(long from, ByteBuffer bytes) {
        Map.Entry<Long, ReportSegment> segment = segments.floorEntry(from);
        if (from < 1 || from > last) {
            throw new IllegalArgumentException(
                    "reports: broker " + brokerId + " has " + first() + ".." + last + ", asked for " + from);
        }
        if (segment == null) {
            return 0;
        }
        long end = Math.min(last, segment.getKey() + perSegment - 1);
        int wanted = (int) Math.min(end - from + 1, bytes.remaining() / RECORD_LENGTH);
        try {
            int count = segment.getValue().read(from, wanted, bytes.array(), bytes.arrayOffset() + bytes.position());
            bytes.position(bytes.position() + count * RECORD_LENGTH);
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

    private boolean isSegmentStart(long sequence) {
        return (sequence - 1) % perSegment == 0;
    }

    private ReportSegment segmentOf(long sequence) throws IOException {
        long first = (sequence - 1) / perSegment * perSegment + 1;
        ReportSegment segment = segments.get(first);
        if (segment == null) {
            segment = ReportSegment.create(directory, first, brokerId, RECORD_LENGTH);
            segments.put(first, segment);
        }
        return segment;
    }

    /**
     * Files follow each other without gap, and all but the newest are full. Only the last two can have suffered from a
     * crash.
     */
    private void checkSegments() throws IOException {
        if (segments.isEmpty()) {
            return;
        }
        ReportSegment newest = segments.lastEntry().getValue();
        Map.Entry<Long, ReportSegment> before = segments.lowerEntry(newest.firstSequence());
        long expected = first();
        for (long firstSequence : segments.keySet()) {
            if (firstSequence != expected || (expected - 1) % perSegment != 0) {
                throw new IOException("reports: broker " + brokerId + ": a file starts at report " + firstSequence
                        + ", expected " + expected);
            }
            expected += perSegment;
        }
        if (before != null && before.getValue().count() != perSegment) {
            throw new IOException("reports: broker " + brokerId + ": the file of report " + before.getKey() + " has "
                    + before.getValue().count() + " reports, expected " + perSegment);
        }
        announce(newest.firstSequence() + newest.mend() - 1);
    }
}
