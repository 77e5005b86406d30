package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.process.OtherProcess;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockArchiveTest {
    @TempDir
    Path directory;

    @Test
    void shouldBeEmptyWhenCreated() {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertThat(archive.firstSequence()).isEqualTo(1);
            assertThat(archive.lastSequence()).isZero();
            assertThat(archive.lastHash()).isEqualTo(Chains.GENESIS_DIGEST);
            assertThat(archive.read(0)).isEmpty();
            assertThat(archive.read(1)).isEmpty();
            assertThat(archive.latestCertificate()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void shouldReadEveryBlockBeforeAndAfterReopening(Durability durability) {
        List<byte[]> chain = Chains.chain(1, 11);
        ArchiveConfig config = new ArchiveConfig(Chains.GENESIS_DIGEST, 4, durability);

        try (BlockArchive archive = BlockArchive.open(directory, config)) {
            for (byte[] block : chain) {
                archive.append(block);
                archive.sync();
            }
            assertHolds(archive, chain);
        }
        try (BlockArchive archive = BlockArchive.open(directory, config)) {
            assertHolds(archive, chain);
            assertThat(archive.recovery()).isEqualTo(new ArchiveRecovery(3, 0, List.of()));
        }
    }

    @Test
    void shouldFindItsFilesWhateverDigitsTheMachineHas() {
        List<byte[]> chain = Chains.chain(1, 9);
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
        try {
            assertThat(String.format("%d", 7)).isEqualTo("\u0667");
            try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
                chain.forEach(archive::append);
            }
            try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
                assertHolds(archive, chain);
            }
        } finally {
            Locale.setDefault(before);
        }
        assertThat(directory.resolve("segment-0000000000000000001.blocks")).exists();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void shouldHoldWhatWasAppendedThroughRandomReopening(long seed) {
        Random random = new Random(seed);
        int blocksPerSegment = 1 + random.nextInt(6);
        List<byte[]> chain = Chains.chain(seed, 60, 5, 300);
        int appended = 0;

        while (appended < chain.size()) {
            try (BlockArchive archive = BlockArchive.open(directory, Chains.config(blocksPerSegment))) {
                assertHolds(archive, chain.subList(0, appended));
                for (int more = random.nextInt(10); more > 0 && appended < chain.size(); more--) {
                    archive.append(chain.get(appended++));
                    int read = 1 + random.nextInt(appended);
                    assertThat(archive.read(read).orElseThrow()).isEqualTo(chain.get(read - 1));
                }
            }
        }
    }

    @Test
    void shouldRefuseBlockThatDoesNotFollow() {
        List<byte[]> chain = Chains.chain(2, 3);
        List<byte[]> other = Chains.chain(3, 3);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            archive.append(chain.get(0));

            assertThatExceptionOfType(ChainViolationException.class)
                    .isThrownBy(() -> archive.append(chain.get(2)))
                    .withMessage("block 3 after block 1");
            assertThatExceptionOfType(ChainViolationException.class)
                    .isThrownBy(() -> archive.append(chain.get(0)))
                    .withMessage("block 1 after block 1");
            assertThatExceptionOfType(ChainViolationException.class)
                    .isThrownBy(() -> archive.append(other.get(1)))
                    .withMessageContaining("previous hash");
            assertHolds(archive, chain.subList(0, 1));
        }
    }

    @Test
    void shouldRefuseBlockWhoseBatchIdsDoNotLeadToItsMerkleRoot() {
        byte[] block = Chains.block(new Random(4), 1, Chains.GENESIS_DIGEST, 2, 20);
        block[BlockHeader.LENGTH] ^= 1;
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            assertThatExceptionOfType(MalformedBlockException.class)
                    .isThrownBy(() -> archive.append(block))
                    .withMessageContaining("Merkle root");
            assertThat(archive.lastSequence()).isZero();
        }
    }

    @Test
    void shouldKeepExecutionTimesThroughClosingOfSegmentAndReopening() {
        List<byte[]> chain = Chains.chain(5, 7);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(3))) {
            chain.subList(0, 2).forEach(archive::append);
            archive.putExecutionTime(1, 101);
            chain.subList(2, 7).forEach(archive::append);
            archive.putExecutionTime(2, 102);
            archive.putExecutionTime(7, 107);

            assertThatIllegalArgumentException().isThrownBy(() -> archive.putExecutionTime(8, 1));
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(3))) {
            assertThat(archive.facts(1).orElseThrow().executionTimeNs()).isEqualTo(OptionalLong.of(101));
            assertThat(archive.facts(2).orElseThrow().executionTimeNs()).isEqualTo(OptionalLong.of(102));
            assertThat(archive.facts(3).orElseThrow().executionTimeNs()).isEmpty();
            assertThat(archive.facts(7).orElseThrow().executionTimeNs()).isEqualTo(OptionalLong.of(107));
            assertHolds(archive, chain);
        }
    }

    @Test
    void shouldBeOpenForWritingInOnePlaceOnly() throws Exception {
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(3))) {
            assertThatExceptionOfType(ArchiveException.class)
                    .isThrownBy(() -> BlockArchive.open(directory, Chains.config(3)))
                    .withMessageContaining("open in this process already");
            assertThat(archive.lastSequence()).isZero();
            assertThat(OtherProcess.canLock(directory.resolve("archive.lock"))).isFalse();
        }
        BlockArchive.open(directory, Chains.config(3)).close();
    }

    @Test
    void shouldRefuseFilesOfAnotherChainOrSegmentSize() {
        Digest otherGenesis = Digest.sha256(new byte[] {9});
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(3))) {
            Chains.chain(6, 4).forEach(archive::append);
        }

        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, new ArchiveConfig(otherGenesis, 3, Durability.PROCESS)))
                .withMessageContaining("another genesis");
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, Chains.config(2)))
                .withMessageContaining("blocks per segment 3, expected 2");
    }

    @Test
    void shouldNameMissingSegmentInTheMiddleAndServeWithoutTheFirst() throws Exception {
        List<byte[]> chain = Chains.chain(7, 8);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(2))) {
            chain.forEach(archive::append);
        }
        Path second = SegmentFiles.path(directory, 3);
        byte[] kept = Files.readAllBytes(second);
        Files.delete(second);
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> BlockArchive.open(directory, Chains.config(2)))
                .withMessageContaining("segment of block 3 is missing");

        Files.write(second, kept);
        Files.delete(SegmentFiles.path(directory, 1));
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(2))) {
            assertThat(archive.firstSequence()).isEqualTo(3);
            assertThat(archive.read(2)).isEmpty();
            assertThat(archive.read(3).orElseThrow()).isEqualTo(chain.get(2));
            assertThat(archive.lastSequence()).isEqualTo(8);
        }
    }

    @Test
    void shouldShowReaderTheSameAsTheNode() {
        List<byte[]> chain = Chains.chain(8, 10);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            chain.forEach(archive::append);

            try (ArchiveReader reader = ArchiveReader.open(directory)) {
                assertThat(reader.genesisDigest()).isEqualTo(Chains.GENESIS_DIGEST);
                assertThat(reader.blocksPerSegment()).isEqualTo(4);
                assertThat(reader.segmentCount()).isEqualTo(3);
                assertHolds(reader, chain);
            }
        }
    }

    static void assertHolds(BlockSource source, List<byte[]> chain) {
        assertThat(source.lastSequence()).isEqualTo(chain.size());
        for (int i = 0; i < chain.size(); i++) {
            assertThat(source.read(i + 1).orElseThrow()).as("block %d", i + 1).isEqualTo(chain.get(i));
        }
        assertThat(source.read(chain.size() + 1)).isEmpty();
    }
}
