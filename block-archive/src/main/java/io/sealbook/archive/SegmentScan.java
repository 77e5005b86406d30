package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Rebuilds the index of a segment from its records. It stops after the last whole block: what follows that is a torn
 * tail, left by a process that was killed while it wrote. A record that is not whole but has a whole one somewhere
 * behind it is no tail: its block is entered as damaged, and reading goes on at the whole one.
 */
final class SegmentScan {
    private static final int WINDOW_LENGTH = 1 << 20;

    private final Path file;
    private final FileChannel channel;
    private final SegmentHead head;
    private final long fileLength;
    private final boolean isFull;
    private final List<SegmentEntry> entries = new ArrayList<>();
    /** Hash of the block before the one that comes next, null where that block is damaged or not here. */
    private Digest previousHash;

    private long position;

    /**
     * What a scan found.
     *
     * @param entries of all blocks from the segment's first
     * @param end offset after the last whole block
     * @param lastHash hash of the last block, or what was given when there is none; null if neither is known
     * @param tornBytes bytes of the file after {@code end}
     * @param isTailOfKilledWrite whether these bytes can be the start of a record: a killed write leaves nothing else
     * @param scannedBytes bytes of records that this scan has read; those of an earlier scan do not count
     */
    record Result(
            List<SegmentEntry> entries,
            long end,
            Digest lastHash,
            long tornBytes,
            boolean isTailOfKilledWrite,
            long scannedBytes) {}

    private SegmentScan(Path file, FileChannel channel, SegmentHead head, Digest previousHash, boolean isFull)
            throws IOException {
        this.isFull = isFull;
        this.file = file;
        this.channel = channel;
        this.head = head;
        this.fileLength = channel.size();
        this.previousHash = previousHash;
        this.position = head.recordsOffset();
    }

    /**
     * Scans a segment.
     *
     * @param previousHash hash of the block before the segment's first; null if unknown
     * @param isFull true if the segment is known to have been full: it has no torn tail then, and what is missing is
     *     damaged
     * @throws ChainViolationException if two whole blocks do not follow each other
     */
    static Result scan(Path file, FileChannel channel, SegmentHead head, Digest previousHash, boolean isFull)
            throws IOException {
        return new SegmentScan(file, channel, head, previousHash, isFull).run();
    }

    /**
     * Goes on where an earlier scan of a segment ended, so that only what was appended since is read. If the file does
     * not continue what that scan has seen, or that scan has met damage, the whole segment is scanned.
     *
     * @param head of the file
     * @param previousHash as in {@link #scan}
     * @param isFull as in {@link #scan}
     * @param earlier scan of a file with the same head
     * @throws ChainViolationException as in {@link #scan}
     */
    static Result resume(
            Path file, FileChannel channel, SegmentHead head, Digest previousHash, boolean isFull, Result earlier)
            throws IOException {
        SegmentScan scan = new SegmentScan(file, channel, head, previousHash, isFull);
        if (scan.continues(earlier)) {
            scan.takeOver(earlier);
        }
        return scan.run();
    }

    /** The last whole record must still be where it was; a repair or a crash may have changed the file. */
    private boolean continues(Result earlier) throws IOException {
        if (earlier.entries().isEmpty()
                || earlier.end() > fileLength
                || earlier.entries().stream().anyMatch(SegmentEntry::isDamaged)) {
            return false;
        }
        SegmentEntry last = earlier.entries().getLast();
        SegmentRecord expected =
                new SegmentRecord(head.firstSequence() + earlier.entries().size() - 1, last.length(), last.crc());
        return expected.equals(headerAt(last.offset() - SegmentRecord.HEADER_LENGTH));
    }

    private void takeOver(Result earlier) throws IOException {
        for (SegmentEntry entry : earlier.entries()) {
            entries.add(
                    entry.executionTimeNs() == SegmentEntry.EXECUTION_TIME_UNKNOWN
                            ? entry.withExecutionTime(
                                    executionTimeInIndex(head.firstSequence() + entries.size(), entry))
                            : entry);
        }
        position = earlier.end();
        previousHash = earlier.lastHash();
    }

    private Result run() throws IOException {
        long start = position;
        while (entries.size() < head.blocksPerSegment() && step()) {
            continue;
        }
        long end = Math.min(position, fileLength);
        return new Result(entries, end, previousHash, fileLength - end, isStartOfRecord(end), fileLength - start);
    }

    /**
     * A write puts the bytes of a record into the file from its first on, so a part of it is shorter than the record.
     */
    private boolean isStartOfRecord(long offset) throws IOException {
        if (fileLength - offset < SegmentRecord.HEADER_LENGTH) {
            return true;
        }
        SegmentRecord header = headerAt(offset);
        return header != null && fileLength - offset < SegmentRecord.HEADER_LENGTH + header.length();
    }

    /** Takes the record at the position, or enters it as damaged; false when only a torn tail is left. */
    private boolean step() throws IOException {
        long sequence = head.firstSequence() + entries.size();
        SegmentRecord header = headerAt(position);
        if (header != null && header.sequence() != sequence) {
            throw new ChainViolationException(
                    file + ": block " + header.sequence() + " at offset " + position + ", expected " + sequence);
        }
        byte[] block = header == null ? null : wholeBlockAt(position, header);
        if (block != null) {
            take(header, block);
            return true;
        }
        return skipDamaged(sequence, header);
    }

    private void take(SegmentRecord header, byte[] bytes) throws IOException {
        BlockHeader block = BlockHeader.decode(bytes, 0);
        if (block.sequence() != header.sequence()
                || previousHash != null && !previousHash.equals(block.previousHash())) {
            throw new ChainViolationException(file + ": block " + block.sequence() + " at offset " + position
                    + " does not follow block " + (header.sequence() - 1));
        }
        previousHash = block.hash();
        SegmentEntry entry =
                new SegmentEntry(position + SegmentRecord.HEADER_LENGTH, header.length(), header.blockCrc(), 0, false);
        entries.add(entry.withExecutionTime(executionTimeInIndex(header.sequence(), entry)));
        position = entry.offset() + entry.length();
    }

    /**
     * Execution times are written into the index as they come; an entry that speaks of this very block has a true one.
     */
    private long executionTimeInIndex(long sequence, SegmentEntry expected) throws IOException {
        byte[] bytes = read(head.entryOffset(sequence), SegmentEntry.LENGTH);
        SegmentEntry found = SegmentEntry.decode(bytes);
        boolean isSame = SegmentEntry.storedCrc(bytes) == SegmentEntry.entryCrc(bytes, sequence)
                && found.withExecutionTime(0).equals(expected);
        return isSame ? found.executionTimeNs() : SegmentEntry.EXECUTION_TIME_UNKNOWN;
    }

    private boolean skipDamaged(long sequence, SegmentRecord header) throws IOException {
        long next = findWholeRecord(position + 1, sequence);
        if (next < 0 && !isFull) {
            return false;
        }
        long end = next < 0 ? fileLength : next;
        long endSequence =
                next < 0 ? head.lastSequenceMax() + 1 : headerAt(next).sequence();
        int headerLength = header == null ? 0 : SegmentRecord.HEADER_LENGTH;
        int crc = header == null ? 0 : header.blockCrc();
        int length = (int) Math.clamp(end - position - headerLength, 0, Block.LENGTH_MAX);
        SegmentEntry damaged = new SegmentEntry(position + headerLength, length, crc, 0, true);
        for (long s = sequence; s < endSequence; s++) {
            entries.add(damaged);
        }
        position = end;
        previousHash = null;
        return true;
    }

    /** Returns where the next whole record of a later block begins, or -1. */
    private long findWholeRecord(long from, long afterSequence) throws IOException {
        for (long start = from; fileLength - start >= SegmentRecord.HEADER_LENGTH; ) {
            byte[] window = read(start, (int) Math.min(WINDOW_LENGTH, fileLength - start));
            ByteBuffer buffer = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);
            int last = window.length - SegmentRecord.HEADER_LENGTH;
            for (int i = 0; i <= last; i++) {
                if (buffer.getLong(i) == head.mark() && isWholeRecord(start + i, afterSequence)) {
                    return start + i;
                }
            }
            start += last + 1;
        }
        return -1;
    }

    private boolean isWholeRecord(long offset, long afterSequence) throws IOException {
        SegmentRecord header = headerAt(offset);
        return header != null
                && header.sequence() > afterSequence
                && header.sequence() <= head.lastSequenceMax()
                && wholeBlockAt(offset, header) != null;
    }

    private SegmentRecord headerAt(long offset) throws IOException {
        if (fileLength - offset < SegmentRecord.HEADER_LENGTH) {
            return null;
        }
        return SegmentRecord.decodeOrNull(read(offset, SegmentRecord.HEADER_LENGTH), 0, head.mark());
    }

    private byte[] wholeBlockAt(long offset, SegmentRecord header) throws IOException {
        long blockOffset = offset + SegmentRecord.HEADER_LENGTH;
        if (fileLength - blockOffset < header.length()) {
            return null;
        }
        byte[] block = read(blockOffset, header.length());
        return Crc32c.of(block) == header.blockCrc() ? block : null;
    }

    private byte[] read(long offset, int length) throws IOException {
        return PositionalIo.read(channel, file, offset, length);
    }
}
