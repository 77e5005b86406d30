package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.storage.CallerThread;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveHealthTest {
    /** As docs/OPERATING.md has it. */
    private static final int KEPT_LOGS_MAX = 4;

    private static final int BLOCKS_PER_SEGMENT = 8;
    /** Two closed segments and an open one. */
    private static final int BLOCK_COUNT = 20;

    private static final ArchiveConfig CONFIG = Chains.config(BLOCKS_PER_SEGMENT);

    @TempDir
    private Path directory;

    private final List<byte[]> chain = Chains.chain(61, BLOCK_COUNT);

    private void write() {
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            for (int i = 0; i < chain.size(); i++) {
                archive.append(chain.get(i));
                if ((i + 1) % 2 == 0) {
                    archive.putCertificate(Chains.certificate(
                            7, i + 1, Block.wrap(chain.get(i)).hash()));
                }
            }
        }
    }

    private Block block(long sequence) {
        return Block.wrap(chain.get((int) sequence - 1));
    }

    private BlockFacts facts(long sequence) {
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            return reader.facts(sequence).orElseThrow();
        }
    }

    private Path segment(long sequence) {
        return SegmentFiles.path(directory, sequence - (sequence - 1) % BLOCKS_PER_SEGMENT);
    }

    private static void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int value = bytes.read();
            bytes.seek(offset);
            bytes.write(value ^ 4);
        }
    }

    private void flipBlock(long sequence) throws IOException {
        flip(segment(sequence), facts(sequence).offset() + 11);
    }

    private TreeMap<String, byte[]> files() throws IOException {
        TreeMap<String, byte[]> all = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return all;
    }

    private void assertAsBefore(TreeMap<String, byte[]> before) throws IOException {
        TreeMap<String, byte[]> now = files();
        assertThat(now.keySet()).isEqualTo(before.keySet());
        before.forEach((name, bytes) -> assertThat(now.get(name)).as(name).isEqualTo(bytes));
    }

    @Test
    void shouldQuarantineADamagedBlockAndRepairItInItsPlace() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        flipBlock(5);
        byte[] damaged = Files.readAllBytes(segment(5));

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            AtomicInteger found = new AtomicInteger();
            archive.health().onFound(found::incrementAndGet);
            assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
            assertThatThrownBy(() -> archive.location(5)).isInstanceOf(BlockDamagedException.class);
            assertThat(archive.health().damagedBlocks()).containsExactly(5L);
            assertThat(found).hasValue(1);
            assertThat(archive.health().expectedHash(5)).contains(block(5).hash());

            assertThat(archive.health().repair(block(5))).isTrue();

            assertThat(archive.read(5)).contains(chain.get(4));
            assertThat(archive.health().damagedBlockCount()).isZero();
        }
        assertAsBefore(before);
        try (Stream<Path> kept = Files.list(directory.resolve(Quarantine.DIRECTORY_NAME))) {
            Path only = kept.toList().getFirst();
            assertThat(only.getFileName().toString()).startsWith("block-5-");
            assertThat(damaged).containsSequence(Files.readAllBytes(only));
        }
    }

    /** Simulator seed 1000152: a start reads the header alone. */
    @Test
    void shouldTakeAHeaderThatIsNoneForDamage() throws IOException {
        write();
        flip(segment(5), facts(5).offset());
        flip(segment(6), facts(6).offset());

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThatThrownBy(() -> archive.location(5)).isInstanceOf(BlockDamagedException.class);
            assertThat(archive.health().damagedBlocks()).containsExactly(5L);
            archive.putCertificate(certificate(6));
            assertThat(archive.health().damagedBlocks()).containsExactly(5L, 6L);
        }
    }

    @Test
    void shouldRepairABlockOfTheOpenSegment() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        flipBlock(18);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.health().damagedBlocks()).containsExactly(18L);
            archive.health().repair(block(18));
            assertThat(archive.read(18)).contains(chain.get(17));
        }
        assertAsBefore(before);
    }

    /** Of blocks 3 to 6 of a closed segment, and 17 to 18 of the open one, not even the record headers are whole. */
    @Test
    void shouldRepairRunsOfBlocksFromTheirLastToTheirFirst() throws IOException {
        write();
        Files.delete(directory.resolve(CertificateLog.FILE_NAME));
        TreeMap<String, byte[]> before = files();
        for (long sequence : new long[] {3, 4, 5, 6, 17, 18}) {
            flip(segment(sequence), facts(sequence).offset() - 20);
            flipBlock(sequence);
        }
        IndexRebuild.run(directory);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            for (long sequence : new long[] {3, 4, 5, 6}) {
                assertThatThrownBy(() -> archive.read(sequence)).isInstanceOf(BlockDamagedException.class);
            }
            assertThat(archive.health().damagedBlocks()).containsExactly(3L, 4L, 5L, 6L, 17L, 18L);
            assertThat(archive.health().expectedHash(5)).isEmpty();
            assertThatThrownBy(() -> archive.health().repair(block(5))).isInstanceOf(ChainViolationException.class);
            for (long sequence : new long[] {18, 17, 6, 5, 4, 3}) {
                assertThat(archive.health().repair(block(sequence)))
                        .as("block %d", sequence)
                        .isTrue();
            }
        }
        Files.delete(directory.resolve(CertificateLog.FILE_NAME));
        assertAsBefore(before);
    }

    /** A full segment that was not marked closed has lost its last byte, or the last two blocks. */
    @ParameterizedTest
    @ValueSource(ints = {8, 7})
    void shouldRepairTheLastBlockOfASegmentThatWasCut(int first) throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        BlockFacts facts = facts(first);
        try (RandomAccessFile file = new RandomAccessFile(segment(1).toFile(), "rw")) {
            file.setLength(facts.offset() + facts.length() - 1);
            file.seek(SegmentHead.STATE_OFFSET);
            file.writeInt(0);
        }

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.health().damagedBlocks()).contains((long) first, 8L);
            assertThat(archive.health().repair(block(8)))
                    .as("the place of a block after another damaged one is not known")
                    .isEqualTo(first == 8);
        }
        if (first == 8) {
            assertAsBefore(before);
        }
    }

    @Test
    void shouldRefuseAnotherBlockThanTheOneThatWasAppended() throws IOException {
        write();
        flipBlock(5);
        Block forged = Block.wrap(Chains.block(new Random(1), 5, block(4).hash(), 2, 30));

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
            byte[] as = Files.readAllBytes(segment(5));
            assertThatThrownBy(() -> archive.health().repair(forged)).isInstanceOf(ChainViolationException.class);
            assertThat(Files.readAllBytes(segment(5))).isEqualTo(as);
            assertThat(archive.health().damagedBlocks()).containsExactly(5L);
        }
    }

    @Test
    void shouldRepairADamagedIndexEntry() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        flip(segment(1), SegmentHead.LENGTH + 4 * SegmentEntry.LENGTH + 2);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
            assertThat(archive.health().repair(block(5))).isTrue();
        }
        assertAsBefore(before);
    }

    /** Bytes of another chain under a right checksum: a misdirected write, or a hand. */
    @Test
    void shouldFindABlockWithARightChecksumAndAnotherHash() throws IOException {
        write();
        BlockFacts facts = facts(5);
        byte[] other = chain.get(4).clone();
        other[40] ^= 1;
        try (RandomAccessFile file = new RandomAccessFile(segment(5).toFile(), "rw")) {
            byte[] header = new byte[SegmentRecord.HEADER_LENGTH];
            file.seek(facts.offset() - header.length);
            file.readFully(header);
            long mark = SegmentHead.decode(Files.readAllBytes(segment(5)), segment(5))
                    .mark();
            new SegmentRecord(5, other.length, Crc32c.of(other)).encode(header, mark);
            file.seek(facts.offset() - header.length);
            file.write(header);
            file.write(other);
            file.seek(SegmentHead.LENGTH + 4L * SegmentEntry.LENGTH);
            file.write(new SegmentEntry(facts.offset(), other.length, Crc32c.of(other), 0, false)
                    .encode(5)
                    .array());
        }

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            ArchiveHealth health = archive.health();
            assertThat(health.check(5, health.expectedHash(5))).isEmpty();
            assertThat(health.damagedBlocks()).containsExactly(5L);
            assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
            health.repair(block(5));
            assertThat(health.check(5, health.expectedHash(5))).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void shouldGoOnWithADamagedCertificateAndFillTheGap(int index) throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        Path log = directory.resolve(CertificateLog.FILE_NAME);
        int recordLength = (int) (Files.size(log) - 48) / (BLOCK_COUNT / 2);
        flip(log, 48 + (index - 1L) * recordLength + 30);

        assertThatThrownBy(() -> ArchiveReader.open(directory).close()).isInstanceOf(ArchiveFormatException.class);
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            CertificateGap gap = new CertificateGap(Math.max(0, 2L * index - 4), 2L * index + 2);
            assertThat(archive.health().certificateGaps()).containsExactly(gap);
            assertThat(archive.certificateAtOrAfter(2L * index).orElseThrow().sequence())
                    .isEqualTo(2L * index + 2);
            CheckpointCertificate wrong = Chains.certificate(7, 2L * index, Digest.sha256(new byte[1]));
            assertThatThrownBy(() -> archive.health().repair(gap, List.of(wrong)))
                    .isInstanceOf(ChainViolationException.class);

            archive.health().repair(gap, List.of(certificate(2L * index)));

            assertThat(archive.health().certificateGaps()).isEmpty();
            assertThat(archive.certificateAtOrAfter(2L * index)).contains(certificate(2L * index));
        }
        assertAsBefore(before);
    }

    /** As with a full disk: what it could not write it asks for again. */
    @Test
    void shouldKeepTheGapWhenTheLogCannotBeWrittenAnew() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        Path log = directory.resolve(CertificateLog.FILE_NAME);
        int recordLength = (int) (Files.size(log) - 48) / (BLOCK_COUNT / 2);
        flip(log, 48 + 2L * recordLength + 30);
        byte[] damaged = Files.readAllBytes(log);
        useUpWhatMayBeKept();
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            CertificateGap gap = new CertificateGap(2, 8);
            Path inTheWay = Files.createDirectories(OpenSegment.unfinished(log).resolve("directory"));
            assertThatThrownBy(() -> archive.health().repair(gap, List.of(certificate(6))))
                    .isInstanceOf(ArchiveException.class);
            assertThat(archive.health().certificateGaps()).containsExactly(gap);
            assertThat(keptLogs()).as("the log goes on").isEmpty();
            Files.delete(inTheWay);

            archive.health().repair(gap, List.of(certificate(6)));

            assertThat(keptLogs())
                    .as("a log is kept beside all bytes that may be")
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasBinaryContent(damaged));
            assertThat(archive.health().certificateGaps()).isEmpty();
            assertThat(archive.certificateAtOrAfter(6)).contains(certificate(6));
        }
        assertAsBefore(before);
    }

    /** A disk that damages the log again and again is not filled by what is kept of it. */
    @Test
    void shouldKeepOnlyTheNewestDamagedLogs() throws IOException {
        write();
        Path log = directory.resolve(CertificateLog.FILE_NAME);
        int recordLength = (int) (Files.size(log) - 48) / (BLOCK_COUNT / 2);
        int more = 3;
        List<byte[]> damaged = new ArrayList<>();
        for (int time = 0; time < KEPT_LOGS_MAX + more; time++) {
            flip(log, 48 + 2L * recordLength + 30 + time);
            Files.setLastModifiedTime(log, FileTime.fromMillis(1_000L * (time + 1)));
            damaged.add(Files.readAllBytes(log));
            try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
                CertificateGap gap = archive.health().certificateGaps().get(0);
                archive.health().repair(gap, List.of(certificate(6)));
            }
            assertThat(keptLogs()).hasSize(Math.min(time + 1, KEPT_LOGS_MAX));
        }

        List<byte[]> kept = new ArrayList<>();
        for (Path file : keptLogs()) {
            kept.add(Files.readAllBytes(file));
        }
        assertThat(kept).containsExactlyInAnyOrderElementsOf(damaged.subList(more, damaged.size()));
    }

    private void useUpWhatMayBeKept() throws IOException {
        Path kept = Files.createDirectory(directory.resolve(Quarantine.DIRECTORY_NAME));
        try (RandomAccessFile sparse =
                new RandomAccessFile(kept.resolve("block-1-00000000.bytes").toFile(), "rw")) {
            sparse.setLength(Quarantine.KEPT_BYTES_MAX);
        }
    }

    private List<Path> keptLogs() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(Quarantine.DIRECTORY_NAME))) {
            return files.filter(file -> file.toString().endsWith(".log")).toList();
        }
    }

    private CheckpointCertificate certificate(long sequence) {
        return Chains.certificate(7, sequence, block(sequence).hash());
    }

    /** The records of certificates 4 and 12 rot while the archive is open, and one of them is met by a reader. */
    @Test
    void shouldFindCertificatesThatRotWhileTheArchiveIsOpen() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        Path log = directory.resolve(CertificateLog.FILE_NAME);
        int recordLength = (int) (Files.size(log) - 48) / (BLOCK_COUNT / 2);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            ArchiveHealth health = archive.health();
            List<CertificateGap> found = new ArrayList<>();
            health.onFound(() -> found.addAll(health.certificateGaps()));
            flip(log, 48 + recordLength + 30L);
            flip(log, 48 + 5L * recordLength + 30);
            assertThat(archive.certificateAtOrAfter(3)).contains(certificate(6));
            assertThat(found).containsExactly(new CertificateGap(2, 6));
            assertThat(health.checkCertificates()).isEqualTo(BLOCK_COUNT / 2 - 2);
            assertThat(health.certificateGaps()).containsExactly(new CertificateGap(2, 6), new CertificateGap(10, 14));

            health.repair(new CertificateGap(2, 6), List.of(certificate(4)));
            assertThatThrownBy(() -> ArchiveReader.open(directory).close())
                    .as("the file keeps its damage until all is found")
                    .isInstanceOf(ArchiveFormatException.class);
            health.repair(new CertificateGap(10, 14), List.of(certificate(12)));

            assertThat(archive.certificateAtOrAfter(3)).contains(certificate(4));
            archive.append(Chains.block(
                    new Random(3), BLOCK_COUNT + 1, block(BLOCK_COUNT).hash(), 1, 9));
        }
        before.keySet().removeIf(name -> !name.equals(CertificateLog.FILE_NAME));
        TreeMap<String, byte[]> now = files();
        before.forEach((name, bytes) -> assertThat(now.get(name)).isEqualTo(bytes));
    }

    @Test
    void shouldStayDamagedWhileTheDiskIsFull() throws IOException {
        write();
        TreeMap<String, byte[]> before = files();
        flipBlock(5);
        LimitedDisk disk = new LimitedDisk();
        int refusals = 0;
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG, disk, new CallerThread())) {
            assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
            boolean isRepaired = false;
            for (long room = 0; !isRepaired; room += 7) {
                disk.roomBytes = room;
                try {
                    isRepaired = archive.health().repair(block(5));
                } catch (ArchiveFullException e) {
                    refusals++;
                    assertThatThrownBy(() -> archive.read(5)).isInstanceOf(BlockDamagedException.class);
                    assertThat(archive.health().damagedBlocks()).containsExactly(5L);
                }
            }
            disk.roomBytes = Long.MAX_VALUE;
            assertThat(archive.read(5)).contains(chain.get(4));
        }
        assertThat(refusals).isGreaterThan(20);
        assertAsBefore(before);
    }

    @Test
    void shouldKnowTheHashOfTheLastBlock() {
        write();
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.health().expectedHash(BLOCK_COUNT))
                    .isEqualTo(Optional.of(block(BLOCK_COUNT).hash()));
            assertThat(archive.health().expectedHash(BLOCK_COUNT + 1)).isEmpty();
        }
    }
}
