package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes damaged blocks anew, in their places, from another node's archive. The other archive is not believed: the
 * blocks must follow the whole block before them, and the whole block after them, or a certificate of this archive,
 * must name their hash. So only the very blocks that were appended here can come back. Needs the archive for itself.
 */
public final class BlockRepair {
    private final Path directory;
    private final BlockSource source;
    private final Function<Block, List<String>> judge;
    private final List<Place> places = new ArrayList<>();
    private final List<Long> repaired = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /**
     * What was done.
     *
     * @param repaired sequences of the blocks that were written
     * @param faults one line for each run of blocks that is still damaged, and why
     */
    public record Result(List<Long> repaired, List<String> faults) {}

    /** A block of this archive, whole or damaged, and the segment that holds it. */
    private record Place(Path file, SegmentHead head, SegmentEntry entry, long fileEnd) {}

    /**
     * A block of the other archive that may be written.
     *
     * @param content SHA-256 over all its bytes, signatures included
     */
    private record Found(long sequence, Digest previousHash, Digest hash, int length, Digest content) {
        static Found of(BlockHeader header, byte[] bytes) {
            return new Found(
                    header.sequence(), header.previousHash(), header.hash(), bytes.length, Digest.sha256(bytes));
        }
    }

    private BlockRepair(Path directory, BlockSource source, Function<Block, List<String>> judge) {
        this.directory = directory;
        this.source = source;
        this.judge = judge;
    }

    /**
     * Repairs every damaged block that the source holds whole, then the index of the closed segments.
     *
     * @param directory of the archive; its node is stopped
     * @param source the archive of another node of the same chain, or a copy of it; stays the caller's
     * @param judge returns what is wrong with the batches of a block: ids and signatures, which no link covers
     * @throws ArchiveException if the archive is open elsewhere or the disk fails
     * @throws ArchiveFormatException if the source is of another chain
     */
    public static Result run(Path directory, BlockSource source, Function<Block, List<String>> judge) {
        BlockRepair repair = new BlockRepair(directory, source, judge);
        try (ArchiveLock lock = ArchiveLock.take(directory)) {
            repair.run();
        } catch (IOException e) {
            throw PositionalIo.failure("cannot repair the archive in " + directory, e);
        }
        if (!repair.repaired.isEmpty()) {
            IndexRebuild.run(directory);
        }
        return new Result(List.copyOf(repair.repaired), List.copyOf(repair.faults));
    }

    private void run() throws IOException {
        SegmentHead first = ArchiveLoading.firstHead(directory);
        if (!first.genesisDigest().equals(source.genesisDigest())) {
            throw new ArchiveFormatException("the other archive belongs to another genesis file");
        }
        scan();
        try (Certificates certificates = new Certificates(first.genesisDigest())) {
            for (int from = 0; from < places.size(); ) {
                int to = from;
                while (to < places.size() && places.get(to).entry.isDamaged()) {
                    to++;
                }
                if (to > from) {
                    repair(first.firstSequence(), from, to, certificates);
                }
                from = to + 1;
            }
        }
    }

    /** Notes where each block lies. A segment before the last one was full, so that what it lacks is damaged. */
    private void scan() throws IOException {
        List<Long> firsts = SegmentFiles.list(directory);
        for (long first : firsts) {
            Path file = SegmentFiles.path(directory, first);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                byte[] bytes = SegmentFiles.headBytes(channel, file);
                SegmentHead head = SegmentHead.decode(bytes, file);
                boolean isFull = first != firsts.getLast() || SegmentHead.isClosed(bytes);
                SegmentScan.Result scan = SegmentScan.scan(file, channel, head, null, isFull);
                scan.entries().forEach(entry -> places.add(new Place(file, head, entry, scan.end())));
            }
        }
    }

    /**
     * Repairs the damaged blocks of the places {@code from..to - 1}; the places beside them are whole. The blocks are
     * judged before the first of them is written, and read again to be written: a run may be larger than the memory.
     */
    private void repair(long firstSequence, int from, int to, Certificates certificates) throws IOException {
        long sequence = firstSequence + from;
        String blocks = "blocks " + sequence + ".." + (firstSequence + to - 1);
        List<Found> found = new ArrayList<>();
        Optional<String> fault = judge(sequence, to - from, found)
                .or(() -> linkFault(found, from, to, certificates))
                .or(() -> roomFault(found, from, to));
        if (fault.isEmpty()) {
            fault = write(found, from, to);
        }
        fault.ifPresent(fact -> faults.add(blocks + ": " + fact));
    }

    private Optional<String> judge(long first, int count, List<Found> found) {
        for (long sequence = first; sequence < first + count; sequence++) {
            try {
                Optional<byte[]> bytes = source.read(sequence);
                if (bytes.isEmpty()) {
                    return Optional.of("the other archive holds no block " + sequence);
                }
                Block block = Block.wrap(bytes.get());
                List<String> wrong = judge.apply(block);
                if (block.header().sequence() != sequence
                        || !block.hasMerkleRoot()
                        || !block.hasItsTimes()
                        || !wrong.isEmpty()) {
                    return Optional.of("block " + sequence + " of the other archive is not sound " + wrong);
                }
                found.add(Found.of(block.header(), bytes.get()));
            } catch (BlockDamagedException | MalformedBlockException e) {
                return Optional.of("in the other archive too: " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private Optional<String> linkFault(List<Found> found, int from, int to, Certificates certificates) {
        Digest before = from > 0
                ? header(places.get(from - 1)).hash()
                : found.getFirst().sequence() == 1
                        ? source.genesisDigest()
                        : found.getFirst().previousHash();
        for (Found block : found) {
            if (!block.previousHash().equals(before)) {
                return Optional.of("block " + block.sequence()
                        + " of the other archive does not follow the block before it in this one");
            }
            before = block.hash();
        }
        long last = found.getLast().sequence();
        Optional<Digest> named =
                to < places.size() ? Optional.of(header(places.get(to)).previousHash()) : certificates.chainHash(last);
        if (named.isEmpty()) {
            return Optional.of("no later block and no certificate of this archive names block " + last);
        }
        return named.get().equals(before)
                ? Optional.empty()
                : Optional.of("block " + last + " of the other archive is not the one that this archive names");
    }

    /** The hash of a header that {@link SegmentScan} has found whole; its bytes bear a right checksum. */
    private static BlockHeader header(Place place) {
        try (FileChannel channel = FileChannel.open(place.file, StandardOpenOption.READ)) {
            return BlockHeader.decode(
                    PositionalIo.read(channel, place.file, place.entry.offset(), BlockHeader.LENGTH), 0);
        } catch (IOException e) {
            throw new ArchiveException("cannot read " + place.file, e);
        }
    }

    /** Blocks of one hash have one length, so those of a segment fill exactly the bytes between their neighbours. */
    private Optional<String> roomFault(List<Found> found, int from, int to) {
        for (int i = from; i < to; ) {
            int end = endInSegment(i, to);
            long needed = 0;
            for (int place = i; place < end; place++) {
                needed += SegmentRecord.HEADER_LENGTH + found.get(place - from).length();
            }
            long room = endOffset(end, places.get(i)) - startOffset(i);
            boolean isAtEnd = end == places.size() || !places.get(end).file.equals(places.get(i).file);
            if (needed != room && !(isAtEnd && needed > room)) {
                return Optional.of("they take " + needed + " bytes, " + places.get(i).file + " has " + room
                        + " for them at offset " + startOffset(i));
            }
            i = end;
        }
        return Optional.empty();
    }

    /** Returns what ended it; the blocks before that are written, and right. */
    private Optional<String> write(List<Found> found, int from, int to) throws IOException {
        for (int i = from; i < to; ) {
            int end = endInSegment(i, to);
            Place place = places.get(i);
            try (FileChannel channel = FileChannel.open(place.file, StandardOpenOption.WRITE)) {
                long at = startOffset(i);
                for (int next = i; next < end; next++) {
                    Found block = found.get(next - from);
                    Optional<byte[]> bytes = again(block);
                    if (bytes.isEmpty()) {
                        channel.force(true);
                        return Optional.of("the other archive has changed: block " + block.sequence()
                                + " is not the one that was read before");
                    }
                    at = write(channel, at, block.sequence(), bytes.get(), place.head.mark());
                    repaired.add(block.sequence());
                }
                channel.force(true);
            }
            i = end;
        }
        return Optional.empty();
    }

    private Optional<byte[]> again(Found block) {
        try {
            return source.read(block.sequence())
                    .filter(bytes -> Digest.sha256(bytes).equals(block.content()));
        } catch (BlockDamagedException e) {
            return Optional.empty();
        }
    }

    private static long write(FileChannel channel, long at, long sequence, byte[] bytes, long mark) throws IOException {
        byte[] record = new byte[SegmentRecord.HEADER_LENGTH];
        new SegmentRecord(sequence, bytes.length, Crc32c.of(bytes)).encode(record, mark);
        PositionalIo.write(channel, ByteBuffer.wrap(record), at);
        PositionalIo.write(channel, ByteBuffer.wrap(bytes), at + record.length);
        return at + record.length + bytes.length;
    }

    /** Returns the first place from {@code i} on that lies in another file than {@code i}, at most {@code to}. */
    private int endInSegment(int i, int to) {
        int end = i;
        while (end < to && places.get(end).file.equals(places.get(i).file)) {
            end++;
        }
        return end;
    }

    /** Returns where the record of a place begins: after the block before it in its file. */
    private long startOffset(int i) {
        Place place = places.get(i);
        if (i == 0 || !places.get(i - 1).file.equals(place.file)) {
            return place.head.recordsOffset();
        }
        SegmentEntry before = places.get(i - 1).entry;
        return before.offset() + before.length();
    }

    private long endOffset(int end, Place last) {
        return end < places.size() && places.get(end).file.equals(last.file)
                ? places.get(end).entry.offset() - SegmentRecord.HEADER_LENGTH
                : last.fileEnd;
    }

    /** The certificates of this archive, if it has any. */
    private final class Certificates implements AutoCloseable {
        private final Optional<CertificateLog> log;

        Certificates(Digest genesisDigest) throws IOException {
            log = CertificateLog.openReadOnly(directory, genesisDigest);
        }

        Optional<Digest> chainHash(long sequence) {
            return log.flatMap(certificates -> certificates.atOrAfter(sequence))
                    .filter(certificate -> certificate.sequence() == sequence)
                    .map(CheckpointCertificate::chainHash);
        }

        @Override
        public void close() {
            log.ifPresent(CertificateLog::close);
        }
    }
}
