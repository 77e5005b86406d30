package io.sealbook.archive;

import static io.sealbook.archive.BlockArchiveTest.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashRecoveryTest {
    private static final int BLOCKS_PER_SEGMENT = 4;
    private static final ArchiveConfig CONFIG = Chains.config(BLOCKS_PER_SEGMENT);

    @TempDir
    Path directory;

    private final List<byte[]> chain = Chains.chain(1, 11, 2, 20);

    @Test
    void shouldCutTornTailAtEveryByteOfTheLastRecordAndGoOn() throws IOException {
        appendAll(chain.subList(0, 7));
        Path file = SegmentFiles.path(directory, 5);
        byte[] whole = Files.readAllBytes(file);
        int lastRecordLength = SegmentRecord.HEADER_LENGTH + chain.get(6).length;

        for (int cut = 1; cut <= lastRecordLength; cut++) {
            Files.write(file, Arrays.copyOf(whole, whole.length - cut));

            try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
                assertHolds(archive, chain.subList(0, 6));
                assertThat(archive.lastHash())
                        .isEqualTo(Block.wrap(chain.get(5)).hash());
                assertThat(archive.recovery().tornBytes()).isEqualTo(lastRecordLength - cut);
                archive.append(chain.get(6));
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(whole);
        }
    }

    @Test
    void shouldCutTailOfGarbageAndZeros() throws IOException {
        appendAll(chain.subList(0, 6));
        Path file = SegmentFiles.path(directory, 5);
        byte[] whole = Files.readAllBytes(file);
        byte[] garbage = Arrays.copyOf(whole, whole.length + 100);
        System.arraycopy(Chains.bytes(new Random(1), 50), 0, garbage, whole.length, 50);
        Files.write(file, garbage);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertHolds(archive, chain.subList(0, 6));
            assertThat(archive.recovery().tornBytes()).isEqualTo(100);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(whole);
    }

    @Test
    void shouldNotTakeRecordInsideBatchOfTornTailForBlock() throws IOException {
        appendAll(chain.subList(0, 4));
        byte[] fake = new byte[SegmentRecord.HEADER_LENGTH];
        new SegmentRecord(7, BlockHeader.LENGTH, 0).encode(fake, 4711);
        byte[] payload = new byte[500];
        System.arraycopy(fake, 0, payload, 100, fake.length);
        byte[] block = new BlockBuilder()
                .begin(5, 0, 5, Digest.ZERO, Block.wrap(chain.get(3)).hash())
                .add(Digest.sha256(payload), 1, payload, 0, payload.length)
                .build();
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            archive.append(block);
        }
        Path file = SegmentFiles.path(directory, 5);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertHolds(archive, chain.subList(0, 4));
        }
    }

    @Test
    void shouldCloseFullSegmentWhoseIndexWasNotWrittenOrNotMarked() throws IOException {
        appendAll(chain.subList(0, 4));
        Path file = SegmentFiles.path(directory, 1);
        byte[] closed = Files.readAllBytes(file);

        byte[] unmarked = closed.clone();
        Arrays.fill(unmarked, SegmentHead.STATE_OFFSET, SegmentHead.STATE_OFFSET + 4, (byte) 0);
        byte[] withoutIndex = unmarked.clone();
        Arrays.fill(withoutIndex, SegmentHead.LENGTH, SegmentHead.LENGTH + 4 * SegmentEntry.LENGTH, (byte) 0);
        byte[] halfIndex = unmarked.clone();
        Arrays.fill(halfIndex, SegmentHead.LENGTH + 50, SegmentHead.LENGTH + 4 * SegmentEntry.LENGTH, (byte) 0);

        for (byte[] crashed : List.of(unmarked, withoutIndex, halfIndex)) {
            Files.write(file, crashed);
            try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
                assertHolds(archive, chain.subList(0, 4));
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(closed);
        }
    }

    @Test
    void shouldCloseFullSegmentsThatWereStillBeingClosed() throws IOException {
        appendAll(chain);
        for (long first : new long[] {1, 5}) {
            Path file = SegmentFiles.path(directory, first);
            byte[] bytes = Files.readAllBytes(file);
            Arrays.fill(bytes, SegmentHead.STATE_OFFSET, SegmentHead.STATE_OFFSET + 4, (byte) 0);
            Files.write(file, bytes);
        }

        for (int scanned : new int[] {11, 3}) {
            try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
                assertThat(archive.recovery()).isEqualTo(new ArchiveRecovery(scanned, 0, List.of()));
                assertHolds(archive, chain);
            }
        }
    }

    @Test
    void shouldGoOnWherePowerFailedWhileSegmentWasBeingClosed() throws IOException {
        Path shortened = SegmentFiles.path(directory, 5);
        Path next = SegmentFiles.path(directory, 9);
        int recordsOffset = SegmentHead.LENGTH + BLOCKS_PER_SEGMENT * SegmentEntry.LENGTH;
        for (int blocksBehind : new int[] {0, 3}) {
            appendAll(chain.subList(0, 9 + Math.max(0, blocksBehind - 1)));
            byte[] whole = Files.readAllBytes(shortened);
            Arrays.fill(whole, SegmentHead.STATE_OFFSET, SegmentHead.STATE_OFFSET + 4, (byte) 0);
            if (blocksBehind == 0) {
                Files.write(next, Arrays.copyOf(Files.readAllBytes(next), recordsOffset));
            }
            byte[] behind = Files.readAllBytes(next);
            for (int length = recordsOffset; length < whole.length; length += 7) {
                Files.write(shortened, Arrays.copyOf(whole, length));
                Files.write(next, behind);

                int left;
                long torn;
                try (ArchiveReader reader = ArchiveReader.open(directory)) {
                    left = (int) reader.lastSequence();
                    torn = reader.tornBytes();
                    assertThat(torn).isGreaterThanOrEqualTo(behind.length);
                    assertThat(reader.lostFiles()).containsExactly(next);
                    assertThat(left).isBetween(4, 7);
                    assertHolds(reader, chain.subList(0, left));
                }
                try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
                    assertThat(archive.recovery().damagedBlocks()).isEmpty();
                    assertThat(archive.recovery().tornBytes()).isEqualTo(torn);
                    assertThat(next).doesNotExist();
                    assertHolds(archive, chain.subList(0, left));
                    chain.subList(left, 11).forEach(archive::append);
                    assertHolds(archive, chain);
                }
            }
            deleteAll();
        }
    }

    @Test
    void shouldNotTakeLossInFrontOfClosedSegmentForTornTail() throws IOException {
        appendAll(chain);
        Path file = SegmentFiles.path(directory, 1);
        shorten(file);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.recovery().damagedBlocks()).containsExactly(4L);
            assertThat(archive.lastSequence()).isEqualTo(11);
            assertThat(archive.read(5).orElseThrow()).isEqualTo(chain.get(4));
        }
    }

    @Test
    void shouldNotTakeLossForTornTailWhereSegmentsAreForced() throws IOException {
        ArchiveConfig forced = new ArchiveConfig(Chains.GENESIS_DIGEST, BLOCKS_PER_SEGMENT, Durability.DISK);
        appendAll(chain);
        Path file = SegmentFiles.path(directory, 5);
        shorten(file);

        try (BlockArchive archive = BlockArchive.open(directory, forced)) {
            assertThat(archive.recovery().damagedBlocks()).containsExactly(8L);
            assertThat(archive.lastSequence()).isEqualTo(11);
            assertThat(archive.read(11).orElseThrow()).isEqualTo(chain.get(10));
        }
    }

    @Test
    void shouldReadBehindShortenedSegmentOnlyWhenToldThatSegmentsAreForced() throws IOException {
        appendAll(chain);
        Path file = SegmentFiles.path(directory, 5);
        shorten(file);

        for (Optional<Durability> notForced : List.of(Optional.<Durability>empty(), Optional.of(Durability.PROCESS))) {
            try (ArchiveReader reader = notForced
                    .map(durability -> ArchiveReader.open(directory, durability))
                    .orElseGet(() -> ArchiveReader.open(directory))) {
                assertHolds(reader, chain.subList(0, 7));
                assertThat(reader.lostFiles()).containsExactly(SegmentFiles.path(directory, 9));
            }
        }
        try (ArchiveReader reader = ArchiveReader.open(directory, Durability.DISK)) {
            assertThat(reader.lastSequence()).isEqualTo(11);
            assertThat(reader.lostFiles()).isEmpty();
            assertThat(reader.tornBytes()).isZero();
            assertThatExceptionOfType(BlockDamagedException.class).isThrownBy(() -> reader.read(8));
            assertThat(reader.read(11).orElseThrow()).isEqualTo(chain.get(10));
        }
    }

    /** Leaves a segment as a loss of power, or damage, may: not marked closed and without its last byte. */
    private static void shorten(Path file) throws IOException {
        byte[] whole = Files.readAllBytes(file);
        Arrays.fill(whole, SegmentHead.STATE_OFFSET, SegmentHead.STATE_OFFSET + 4, (byte) 0);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    }

    private void deleteAll() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void shouldGoOnAfterCrashBetweenIndexAndNextSegment() throws IOException {
        appendAll(chain.subList(0, 4));
        Path next = SegmentFiles.path(directory, 5);
        Files.write(OpenSegment.unfinished(next), new byte[17]);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.recovery()).isEqualTo(new ArchiveRecovery(0, 0, List.of()));
            chain.subList(4, 11).forEach(archive::append);
            assertHolds(archive, chain);
        }
        assertThat(OpenSegment.unfinished(next)).doesNotExist();
    }

    @Test
    void shouldGoOnInSegmentThatWasCreatedAndLeftEmpty() throws IOException {
        appendAll(chain.subList(0, 5));
        Path file = SegmentFiles.path(directory, 5);
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, SegmentHead.LENGTH + BLOCKS_PER_SEGMENT * SegmentEntry.LENGTH));

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertHolds(archive, chain.subList(0, 4));
            chain.subList(4, 11).forEach(archive::append);
            assertHolds(archive, chain);
        }
    }

    @Test
    void shouldServeEveryWholeBlockAndNameTheDamagedOneWhateverBitFlips() throws IOException {
        appendAll(chain.subList(0, 7));
        for (long first : new long[] {1, 5}) {
            Path file = SegmentFiles.path(directory, first);
            byte[] whole = Files.readAllBytes(file);
            for (int i = 0; i < whole.length; i++) {
                byte[] flipped = whole.clone();
                flipped[i] ^= (byte) (1 << i % 8);
                Files.write(file, flipped);
                checkNothingWrongIsServed(file, i);
            }
            Files.write(file, whole);
        }
    }

    /**
     * Every block is either as appended, or named as damaged, or (the last one of the open segment) cut as a torn tail.
     */
    private void checkNothingWrongIsServed(Path file, int flippedByte) {
        int notServed = 0;
        try (ArchiveReader reader = ArchiveReader.open(directory)) {
            assertThat(reader.lastSequence()).as("byte %d", flippedByte).isBetween(6L, 7L);
            for (int sequence = 1; sequence <= 7; sequence++) {
                Optional<byte[]> block;
                try {
                    block = reader.read(sequence);
                } catch (BlockDamagedException e) {
                    assertThat(e.sequence()).isEqualTo(sequence);
                    assertThat(e.file()).isEqualTo(file);
                    assertThat(e.expectedCrc()).isNotEqualTo(e.foundCrc());
                    notServed++;
                    continue;
                }
                if (block.isEmpty()) {
                    assertThat(sequence).isEqualTo(7);
                    notServed++;
                } else {
                    assertThat(block.get()).as("byte %d", flippedByte).isEqualTo(chain.get(sequence - 1));
                }
            }
        } catch (ArchiveFormatException e) {
            assertThat(flippedByte).isLessThan(SegmentHead.STATE_OFFSET);
            assertThat(e).hasMessageContaining(file.toString());
        }
        assertThat(notServed).as("byte %d", flippedByte).isLessThanOrEqualTo(1);
    }

    @Test
    void shouldNameDamagedBlockInTheMiddleOfOpenSegmentAndKeepWhatFollows() throws IOException {
        appendAll(chain.subList(0, 7));
        Path file = SegmentFiles.path(directory, 5);
        byte[] bytes = Files.readAllBytes(file);
        int record = SegmentHead.LENGTH + BLOCKS_PER_SEGMENT * SegmentEntry.LENGTH;
        bytes[record + SegmentRecord.HEADER_LENGTH + 40] ^= 1;
        Files.write(file, bytes);

        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThat(archive.recovery()).isEqualTo(new ArchiveRecovery(3, 0, List.of(5L)));
            assertThatExceptionOfType(BlockDamagedException.class)
                    .isThrownBy(() -> archive.read(5))
                    .satisfies(e -> {
                        assertThat(e.sequence()).isEqualTo(5);
                        assertThat(e.file()).isEqualTo(file);
                        assertThat(e.offset()).isEqualTo(record + SegmentRecord.HEADER_LENGTH);
                        assertThat(e.expectedCrc()).isEqualTo(Crc32c.of(chain.get(4)));
                        assertThat(e.foundCrc()).isNotEqualTo(e.expectedCrc());
                    });
            chain.subList(7, 11).forEach(archive::append);
            assertThat(archive.read(6).orElseThrow()).isEqualTo(chain.get(5));
            assertThat(archive.read(11).orElseThrow()).isEqualTo(chain.get(10));
        }
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            assertThatExceptionOfType(BlockDamagedException.class).isThrownBy(() -> archive.read(5));
            assertThat(archive.read(8).orElseThrow()).isEqualTo(chain.get(7));
        }
    }

    @Test
    void shouldStopWhenWholeBlocksFormNoChain() throws IOException {
        appendAll(chain.subList(0, 5));
        Path file = SegmentFiles.path(directory, 5);
        byte[] bytes = Files.readAllBytes(file);
        byte[] foreign = Chains.block(new Random(2), 5, Digest.sha256(new byte[] {7}), 1, 9);
        int record = SegmentHead.LENGTH + BLOCKS_PER_SEGMENT * SegmentEntry.LENGTH;
        byte[] header = new byte[SegmentRecord.HEADER_LENGTH];
        long mark = SegmentHead.decode(bytes, file).mark();
        new SegmentRecord(5, foreign.length, Crc32c.of(foreign)).encode(header, mark);
        byte[] replaced = Arrays.copyOf(bytes, record + header.length + foreign.length);
        System.arraycopy(header, 0, replaced, record, header.length);
        System.arraycopy(foreign, 0, replaced, record + header.length, foreign.length);
        Files.write(file, replaced);

        assertThatExceptionOfType(ChainViolationException.class)
                .isThrownBy(() -> BlockArchive.open(directory, CONFIG))
                .withMessageContaining("block 5");
        BlockArchive.open(directory.resolve("other"), CONFIG).close();
    }

    @Test
    void shouldNameMagicAndVersionThatDoNotMatch() throws IOException {
        appendAll(chain.subList(0, 5));
        Path file = SegmentFiles.path(directory, 5);
        byte[] whole = Files.readAllBytes(file);

        byte[] magic = whole.clone();
        magic[0] = 'X';
        Files.write(file, magic);
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, CONFIG))
                .withMessageContaining("magic is XBSEGMT1, expected SBSEGMT1");

        byte[] version = whole.clone();
        version[8] = 1;
        Files.write(file, version);
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, CONFIG))
                .withMessageContaining("version 1, expected 2");

        Files.write(file, Arrays.copyOf(whole, SegmentHead.LENGTH + 5));
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, CONFIG))
                .withMessageContaining("within its head room");
    }

    private void appendAll(List<byte[]> blocks) {
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            blocks.forEach(archive::append);
        }
    }
}
