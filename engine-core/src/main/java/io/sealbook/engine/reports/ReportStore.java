package io.sealbook.engine.reports;

import io.sealbook.matching.ReportRecord;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.RecordPacker;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    private final int brokerId;
    private final ReportSegments segments;

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
    private final RecentRuns runs = new RecentRuns();

    private ReportStore(int brokerId, ReportSegments segments) {
        this.brokerId = brokerId;
        this.segments = segments;
        announce(segments.lastAtOpen());
    }

    /**
     * Opens a broker's store; a torn last record is cut.
     *
     * @param directory is made if it does not exist; belongs to this store alone
     * @param brokerId whose reports; files of another broker are refused
     * @param perSegment reports in one file; must be the same at every start
     */
    public static ReportStore open(Path directory, int brokerId, int perSegment) {
        return new ReportStore(brokerId, ReportSegments.open(directory, brokerId, perSegment));
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

    /**
     * Returns the packed reports of the block of a report; empty if they are not in memory, or no longer kept at all.
     */
    Optional<List<PackedRun>> runsOf(long sequence) {
        return runs.blockOf(sequence).filter(block -> block.getFirst().first() >= first());
    }

    /**
     * Takes what is remembered of the block that ends with the report appended last.
     *
     * @param digest over its reports
     * @param packed all of them
     */
    void onBlockEnd(BrokerDigest digest, List<PackedRun> packed) {
        if (digest.end() != appended + 1) {
            throw new BrokenInvariantException("reports: broker " + brokerId + ": a block ends before report "
                    + digest.end() + ", the last one is " + appended);
        }
        digests.add(digest);
        runs.add(packed);
    }

    /** Announces that what was flushed ends with a block. */
    void announceBlock() {
        lastOfBlocks = last;
    }

    /** Returns the first report kept; larger than 1 once old files have been removed. */
    public long first() {
        return segments.first();
    }

    /**
     * Takes the next report; it can be read after {@link #flush()}.
     *
     * @throws BrokenInvariantException if its sequence does not follow the last one
     */
    void append(long sequence, DirectBuffer buffer, int offset) {
        checkFollows(sequence);
        if (segments.isStart(sequence)) {
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
            if (segments.isStart(firstSequence)) {
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
        return segments.isStart(firstSequence) && !isFirst ? 0 : segments.roomFrom(firstSequence);
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
        segments.write(last + 1, staged, stagedLength);
        stagedLength = 0;
        last = appended;
        return true;
    }

    /** Forces everything announced to disk. */
    void sync() {
        segments.sync();
    }

    /** Forgets every report after {@code sequence}; they will be produced again. */
    void truncateAfter(long sequence) {
        if (sequence >= last) {
            return;
        }
        ByteBuffer again = segments.cutAfter(sequence);
        int count = again.remaining() / RECORD_LENGTH;
        announce(sequence - count);
        UnsafeBuffer records = new UnsafeBuffer(again.array());
        for (int i = 0; i < count; i++) {
            append(appended + 1, records, i * RECORD_LENGTH);
        }
        flush();
    }

    private void announce(long sequence) {
        last = sequence;
        appended = sequence;
        lastOfBlocks = sequence;
    }

    /**
     * Removes files whose reports all belong to blocks at or before {@code block}; the newest file stays.
     *
     * @param block last block that is not needed any more
     * @param needed this report and all later ones stay, because a snapshot relies on them
     * @return how many were removed
     */
    int pruneBefore(long block, long needed) {
        return segments.pruneBefore(block, needed);
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
        if (from < 1 || from > last) {
            throw new IllegalArgumentException(
                    "reports: broker " + brokerId + " has " + first() + ".." + last + ", asked for " + from);
        }
        return segments.read(from, last, bytes);
    }

    @Override
    public void close() {
        segments.close();
    }
}
