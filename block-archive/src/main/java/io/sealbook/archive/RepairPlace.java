package io.sealbook.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The place of a damaged block in its segment, found from the index or from the blocks beside it. Blocks of one hash
 * have one length, so that the block fits its place and nothing else in the file moves. The thread that appends.
 */
final class RepairPlace {
    private final Path file;
    private final SegmentHead head;
    private final long sequence;
    private final LongFunction<SegmentEntry> entries;
    private final long lastSequence;

    /**
     * @param file of the segment
     * @param head of the segment
     * @param sequence of the damaged block
     * @param entries index of the archive, which may throw {@link BlockDamagedException}
     * @param lastSequence of the archive
     */
    RepairPlace(Path file, SegmentHead head, long sequence, LongFunction<SegmentEntry> entries, long lastSequence) {
        this.file = file;
        this.head = head;
        this.sequence = sequence;
        this.entries = entries;
        this.lastSequence = lastSequence;
    }

    /**
     * Returns where the first byte of a block of some length belongs.
     *
     * @param length of the block, bytes
     * @return empty if the place is not known, or has another length
     */
    Optional<Long> offset(int length) {
        Optional<SegmentEntry> own = whole(sequence);
        if (own.isPresent()) {
            return own.filter(entry -> entry.length() == length).map(SegmentEntry::offset);
        }
        Optional<Long> start = start();
        Optional<Long> end = end();
        if (start.isEmpty()) {
            // Of a damaged region. Where a segment has lost its end, not even its last block has a place.
            return end.map(next -> next - length)
                    .filter(offset ->
                            offset >= regionStart().orElse((long) head.recordsOffset()) + SegmentRecord.HEADER_LENGTH);
        }
        return start.map(record -> record + SegmentRecord.HEADER_LENGTH)
                .filter(offset -> end.isEmpty() || end.get() == offset + length);
    }

    /** Returns where the record of the block before ends. */
    private Optional<Long> start() {
        return sequence == head.firstSequence()
                ? Optional.of((long) head.recordsOffset())
                : whole(sequence - 1).map(before -> before.offset() + before.length());
    }

    /** Returns where the record of the next block begins, if that is in the same segment. */
    private Optional<Long> end() {
        return sequence == head.lastSequenceMax() || sequence == lastSequence
                ? Optional.empty()
                : whole(sequence + 1).map(next -> next.offset() - SegmentRecord.HEADER_LENGTH);
    }

    /** A scan enters all blocks of a damaged region with its beginning as their offset. */
    private Optional<Long> regionStart() {
        return entry(sequence).map(SegmentEntry::offset);
    }

    /** Returns the entry of a block whose place is known. */
    private Optional<SegmentEntry> whole(long of) {
        return entry(of).filter(entry -> !entry.isDamaged());
    }

    private Optional<SegmentEntry> entry(long of) {
        try {
            return Optional.of(entries.apply(of));
        } catch (BlockDamagedException e) {
            // An index entry: the blocks beside it tell the place.
            return Optional.empty();
        }
    }

    /** Returns what the disk has where a record belongs, as far as the file reaches. */
    byte[] bytes(FileChannel channel, long offset, int length) throws IOException {
        long start = offset - SegmentRecord.HEADER_LENGTH;
        long available = Math.clamp(channel.size() - start, 0, SegmentRecord.HEADER_LENGTH + length);
        return PositionalIo.read(channel, file, start, (int) available);
    }

    /** Writes the record of the block, with its header; forces it to the disk. */
    SegmentEntry write(FileChannel channel, long offset, byte[] block) throws IOException {
        int crc = Crc32c.of(block);
        byte[] header = new byte[SegmentRecord.HEADER_LENGTH];
        new SegmentRecord(sequence, block.length, crc).encode(header, head.mark());
        PositionalIo.write(channel, ByteBuffer.wrap(header), offset - header.length);
        PositionalIo.write(channel, ByteBuffer.wrap(block), offset);
        channel.force(true);
        long executedNs =
                whole(sequence).map(SegmentEntry::executionTimeNs).orElse(SegmentEntry.EXECUTION_TIME_UNKNOWN);
        return new SegmentEntry(offset, block.length, crc, executedNs, false);
    }
}
