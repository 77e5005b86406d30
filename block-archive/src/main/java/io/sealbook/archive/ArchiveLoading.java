package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the state of an archive's directory: which segments are there and closed, and what the others hold. Changes
 * nothing on the disk; what must be mended is in the result.
 */
final class ArchiveLoading {
    private final Path directory;
    private final Digest genesisDigest;
    private final int blocksPerSegment;
    private final Durability durability;
    /** What an earlier look at the directory has found, empty at the first. */
    private final List<Segment> earlier;

    private final List<Segment> segments = new ArrayList<>();

    /** A segment file; {@code scan} is null when the segment is closed. */
    record Segment(Path file, SegmentHead head, SegmentScan.Result scan) {
        boolean isClosed() {
            return scan == null;
        }
    }

    /**
     * What is there.
     *
     * @param segments ascending; empty in a new archive
     * @param lastSequence 0 when there is no block
     * @param lastHash hash of the last block; the genesis digest when there is none; null when the last block is
     *     damaged
     * @param lost files after a torn segment: a loss of power took its end, so their blocks belong to nothing
     */
    record State(List<Segment> segments, long lastSequence, Digest lastHash, List<Path> lost) {
        /** Returns the index entry of a block: as a scan found it, or as a closed segment's index has it. */
        SegmentEntry entry(long sequence, SegmentFiles files) {
            for (Segment segment : segments) {
                long place = sequence - segment.head().firstSequence();
                if (!segment.isClosed()
                        && place >= 0
                        && place < segment.scan().entries().size()) {
                    return segment.scan().entries().get((int) place);
                }
            }
            return files.entry(sequence);
        }
    }

    private ArchiveLoading(
            Path directory, Digest genesisDigest, int blocksPerSegment, Durability durability, List<Segment> earlier) {
        this.durability = durability;
        this.earlier = earlier;
        this.directory = directory;
        this.genesisDigest = genesisDigest;
        this.blocksPerSegment = blocksPerSegment;
    }

    /**
     * @param directory of the archive
     * @param genesisDigest expected in every file
     * @param blocksPerSegment expected in every file
     * @param durability of the node: with DISK every segment was on the disk before the next began, so that only damage
     *     can have shortened it
     */
    static State load(Path directory, Digest genesisDigest, int blocksPerSegment, Durability durability)
            throws IOException {
        return new ArchiveLoading(directory, genesisDigest, blocksPerSegment, durability, List.of()).run();
    }

    /**
     * Reads the state again; of a segment that was scanned before, only what was appended since.
     *
     * @param directory of the archive
     * @param config expected in every file
     * @param earlier state of the same directory
     */
    static State loadAfter(Path directory, ArchiveConfig config, State earlier) throws IOException {
        return new ArchiveLoading(
                        directory,
                        config.genesisDigest(),
                        config.blocksPerSegment(),
                        config.durability(),
                        earlier.segments())
                .run();
    }

    /** Reads the head of an archive's first segment: the only fact that a new reader has. */
    static SegmentHead firstHead(Path directory) throws IOException {
        List<Long> firsts = SegmentFiles.list(directory);
        if (firsts.isEmpty()) {
            throw new ArchiveFormatException(directory + ": holds no segment file");
        }
        Path file = SegmentFiles.path(directory, firsts.getFirst());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return SegmentHead.decode(SegmentFiles.headBytes(channel, file), file);
        }
    }

    private State run() throws IOException {
        List<Long> firsts = SegmentFiles.list(directory);
        int whole = durability.isDisk() ? firsts.size() - 1 : lastClosed(firsts);
        List<Path> lost = new ArrayList<>();
        for (int i = 0; i < firsts.size(); i++) {
            checkPlace(firsts, i);
            if (!segments.isEmpty() && isTorn(segments.getLast())) {
                lost.add(SegmentFiles.path(directory, firsts.get(i)));
            } else {
                segments.add(load(firsts.get(i), i < whole));
            }
        }
        if (segments.isEmpty()) {
            return new State(List.of(), 0, genesisDigest, List.of());
        }
        Segment last = segments.getLast();
        long lastSequence = last.isClosed()
                ? last.head.lastSequenceMax()
                : last.head.firstSequence() + last.scan.entries().size() - 1;
        Digest lastHash = last.isClosed() ? closedLastHashOrNull(lastSequence) : last.scan.lastHash();
        return new State(segments, lastSequence, lastHash, List.copyOf(lost));
    }

    /**
     * Returns the place of the last segment that is closed, or -1. They are closed in their order, so it was whole once
     * and all before it.
     */
    private int lastClosed(List<Long> firsts) throws IOException {
        for (int i = firsts.size() - 1; i >= 0; i--) {
            Path file = SegmentFiles.path(directory, firsts.get(i));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                byte[] head = SegmentFiles.headBytes(channel, file);
                if (head.length == SegmentHead.LENGTH && SegmentHead.isClosed(head)) {
                    return i;
                }
            }
        }
        return -1;
    }

    private static boolean isTorn(Segment segment) {
        return !segment.isClosed()
                && segment.scan().entries().size() < segment.head().blocksPerSegment();
    }

    private void checkPlace(List<Long> firsts, int i) {
        long first = firsts.get(i);
        long expected = i == 0
                ? first - Math.floorMod(first - 1, (long) blocksPerSegment)
                : firsts.get(i - 1) + blocksPerSegment;
        if (first != expected) {
            throw new ArchiveFormatException(directory + ": segment of block " + expected
                    + " is missing, the next begins at " + first + "; copy "
                    + SegmentFiles.path(directory, expected).getFileName()
                    + " from the archive of another member. To verify the blocks from " + first
                    + " on without it, copy "
                    + SegmentFiles.path(directory, first).getFileName()
                    + ", those after it and " + CertificateLog.FILE_NAME
                    + " to a new directory: block-archive.jar verify DIR --genesis FILE --from " + first
                    + "; it checks signatures and certificates only if no block before " + first
                    + " holds administrative batches");
        }
    }

    private Segment load(long first, boolean wasFull) throws IOException {
        Path file = SegmentFiles.path(directory, first);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] bytes = SegmentFiles.headBytes(channel, file);
            SegmentHead head = SegmentHead.decode(bytes, file);
            check(head, first, file, channel.size());
            boolean isClosed = SegmentHead.isClosed(bytes);
            return new Segment(file, head, isClosed ? null : scan(file, channel, head, wasFull));
        }
    }

    private SegmentScan.Result scan(Path file, FileChannel channel, SegmentHead head, boolean wasFull)
            throws IOException {
        Digest previousHash = previousHash(head.firstSequence());
        for (Segment segment : earlier) {
            if (!segment.isClosed() && segment.head().equals(head)) {
                return SegmentScan.resume(file, channel, head, previousHash, wasFull, segment.scan());
            }
        }
        return SegmentScan.scan(file, channel, head, previousHash, wasFull);
    }

    private void check(SegmentHead head, long first, Path file, long length) {
        expect(first, head.firstSequence(), file, "first sequence");
        expect(blocksPerSegment, head.blocksPerSegment(), file, "blocks per segment");
        if (!genesisDigest.equals(head.genesisDigest())) {
            throw new ArchiveFormatException(file + ": belongs to another genesis file");
        }
        if (length < head.recordsOffset()) {
            throw new ArchiveFormatException(
                    file + ": ends at " + length + " within its head room of " + head.recordsOffset() + " bytes");
        }
    }

    private static void expect(long expected, long found, Path file, String field) {
        if (expected != found) {
            throw new ArchiveFormatException(file + ": " + field + " " + found + ", expected " + expected);
        }
    }

    /** Returns the hash of the block before a segment, or null if that is damaged or not here. */
    private Digest previousHash(long first) {
        if (first == 1) {
            return genesisDigest;
        }
        if (segments.isEmpty()) {
            return null;
        }
        Segment previous = segments.getLast();
        if (!previous.isClosed()) {
            return previous.scan.lastHash();
        }
        return closedLastHashOrNull(first - 1);
    }

    private Digest closedLastHashOrNull(long sequence) {
        try (SegmentFiles files = new SegmentFiles(directory, blocksPerSegment)) {
            return Block.wrap(files.block(sequence, files.entry(sequence))).hash();
        } catch (BlockDamagedException e) {
            // It is named when it is read. A reader goes on without it; the next block's link cannot be checked.
            return null;
        }
    }
}
