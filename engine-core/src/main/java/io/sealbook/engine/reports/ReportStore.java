package io.sealbook.engine.reports;

import io.sealbook.matching.ReportRecord;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.BrokerDigest;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.RunTree;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All reports of one broker, in report order, from sequence 1 on, as runs of results. A report is made when a reader
 * asks for it; the newest runs are read from the page cache, so no copy is kept on the heap.
 *
 * <p>One thread appends, flushes, truncates; any thread reads up to {@link #last()}.
 */
public final class ReportStore implements AutoCloseable {
    /** Bytes of one report: an SBE ExecutionReport with its header. */
    public static final int RECORD_LENGTH = ReportRecord.LENGTH;

    private static final int STAGED_BYTES = 64 << 10;
    /** Digests are computed with each block while the last request for one is at most this number of reports ago. */
    private static final int ASKED_WITHIN = 1 << 16;

    private final int brokerId;
    private final ReportSegments segments;

    /** Whole chunks, all of the newest file. */
    private final byte[] staged = new byte[STAGED_BYTES];

    private int stagedLength;
    private long appended;
    /** First report of the block that is being appended. */
    private long blockFirst;

    private final RunTree tree = new RunTree();
    private boolean isDigested;
    private final RecentDigests digests = new RecentDigests();

    private volatile long last;
    private volatile long lastOfBlocks;
    /** The last report when a digest was asked for. */
    private volatile long askedAt = -ASKED_WITHIN;

    private ReportStore(int brokerId, ReportSegments segments) {
        this.brokerId = brokerId;
        this.segments = segments;
        announce(segments.lastAtOpen());
    }

    /**
     * Opens a broker's store; a torn last run is cut.
     *
     * @param directory is made if it does not exist; belongs to this store alone
     * @param brokerId whose reports; files of another broker are refused
     * @param perSegment reports after which another file is begun
     * @param durability whether a full file is forced to disk before the next one is begun
     */
    public static ReportStore open(Path directory, int brokerId, int perSegment, Durability durability) {
        return open(directory, brokerId, perSegment, durability, new OpenSegments());
    }

    /** As above, with the files that all stores of an engine have open. */
    static ReportStore open(
            Path directory, int brokerId, int perSegment, Durability durability, OpenSegments openSegments) {
        return new ReportStore(
                brokerId, ReportSegments.open(directory, brokerId, perSegment, durability, openSegments));
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

    /**
     * Returns the digest over the reports of a block among which a report is; empty if it is not remembered, and must
     * be computed from the runs. While digests are asked for they are computed with each block.
     */
    Optional<BrokerDigest> digestOf(long sequence) {
        askedAt = last;
        return digests.of(sequence);
    }

    /** Announces that what was flushed ends with a block. Returns whether that is new to readers. */
    boolean announceBlock() {
        boolean isNew = lastOfBlocks < last;
        lastOfBlocks = last;
        return isNew;
    }

    /** Returns the first report kept; larger than 1 once old files have been removed. */
    public long first() {
        return segments.first();
    }

    /**
     * Takes the next run; its reports can be read after {@link #flush()}.
     *
     * @param bytes contain the run, which is copied
     * @param offset where it begins
     * @param length in bytes
     * @param leafHashOffset where the hash of its cells' leaf begins in {@code bytes}
     * @throws BrokenInvariantException if it does not follow the last one
     */
    void append(byte[] bytes, int offset, int length, int leafHashOffset) {
        long first = ReportRun.first(bytes, offset);
        if (first != appended + 1) {
            throw new BrokenInvariantException(
                    "reports: broker " + brokerId + ": report " + first + " came after " + appended);
        }
        boolean isFileFull = segments.isFullWith(appended);
        if (isFileFull || staged.length - stagedLength < ReportChunk.HEADER_LENGTH + length) {
            flush();
        }
        if (isFileFull) {
            segments.beginAfter(appended);
        }
        System.arraycopy(bytes, offset, staged, stagedLength + ReportChunk.HEADER_LENGTH, length);
        ReportChunk.seal(staged, stagedLength, length);
        stagedLength += ReportChunk.HEADER_LENGTH + length;
        appended += ReportRun.count(bytes, offset);
        if (blockFirst == 0) {
            blockFirst = first;
            isDigested = first - askedAt < ASKED_WITHIN;
        }
        if (isDigested) {
            tree.add(bytes, offset, length, bytes, leafHashOffset);
        }
    }

    /** Ends a block: the runs since the last one have all its reports. */
    void endBlock() {
        if (blockFirst != 0 && isDigested) {
            digests.add(new BrokerDigest(brokerId, blockFirst, (int) (appended - blockFirst + 1), tree.take()));
        }
        blockFirst = 0;
    }

    /** Writes the appended reports and announces them. Returns whether there were any. */
    boolean flush() {
        if (appended == last) {
            return false;
        }
        segments.write(staged, stagedLength);
        stagedLength = 0;
        last = appended;
        return true;
    }

    /** Forces everything announced to disk. */
    void sync() {
        segments.sync();
    }

    /** Forgets every report after one, the last of a block; they will be produced again. */
    void truncateAfter(long sequence) {
        if (sequence >= last) {
            return;
        }
        segments.cutAfter(sequence);
        announce(sequence);
    }

    private void announce(long sequence) {
        last = sequence;
        appended = sequence;
        lastOfBlocks = sequence;
    }

    /**
     * Removes files after which another one begins at or before {@code block}; the newest file stays.
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
     * @throws OperatingFailureException if the chunk of the first record is damaged
     * @throws UncheckedIOException if the file cannot be read
     */
    public int read(long from, ByteBuffer bytes) {
        if (from < 1 || from > last) {
            throw new IllegalArgumentException(
                    "reports: broker " + brokerId + " has " + first() + ".." + last + ", asked for " + from);
        }
        return segments.read(from, last, bytes);
    }

    /**
     * Reads the run that has a report.
     *
     * @param sequence {@code first()..last()}
     * @return empty only if it was deleted since {@link #first} named it or an earlier one
     * @throws OperatingFailureException if it is damaged
     */
    Optional<byte[]> run(long sequence) {
        return segments.run(sequence);
    }

    @Override
    public void close() {
        segments.close();
    }
}
