package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveFinding.Kind;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveInspectionTest {
    private static final int BLOCKS_PER_SEGMENT = 4;
    private static final ArchiveConfig CONFIG = Chains.config(BLOCKS_PER_SEGMENT);

    @TempDir
    Path directory;

    private final List<byte[]> chain = Chains.chain(1, 10);

    @Test
    void shouldFindNothingInArchiveThatWasClosed() {
        write();

        assertThat(inspect()).isEmpty();
    }

    @Test
    void shouldNameTornTailAndLeaveIt() throws IOException {
        write();
        Path last = segment(9);
        byte[] torn = Arrays.copyOf(Files.readAllBytes(last), (int) Files.size(last) - 1);
        Files.write(last, torn);

        assertThat(kinds()).containsExactly(Kind.TORN_TAIL);
        assertThat(inspect().getFirst().fact()).startsWith(last + ": ").endsWith("the start of block 10");
        assertThat(Files.readAllBytes(last)).isEqualTo(torn);
    }

    @Test
    void shouldNameDamagedBlockOfClosedSegment() throws IOException {
        write();
        flipLast(segment(5));

        assertThat(kinds()).containsExactly(Kind.DAMAGED_BLOCK);
        assertThat(inspect().getFirst().fact()).startsWith("block 8: block damaged in " + segment(5));
    }

    @Test
    void shouldNameDamagedTailOfOpenSegment() throws IOException {
        write();
        flipLast(segment(9));

        assertThat(kinds()).containsExactly(Kind.DAMAGED_TAIL);
    }

    @Test
    void shouldNameUnfinishedFileAndLeaveIt() throws IOException {
        write();
        Path unfinished = Files.write(OpenSegment.unfinished(segment(13)), new byte[3]);

        assertThat(kinds()).containsExactly(Kind.UNFINISHED_FILE);
        assertThat(unfinished).exists();
    }

    @Test
    void shouldNameCertificateBeyondTheEndAndOneOfAnotherBlock() {
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            archive.putCertificate(Chains.certificate(1, 3, Chains.GENESIS_DIGEST));
            archive.putCertificate(Chains.certificate(1, 11, Chains.GENESIS_DIGEST));
            chain.forEach(archive::append);
        }

        assertThat(kinds()).containsExactly(Kind.CERTIFICATE_MISMATCH, Kind.CERTIFICATE_BEYOND_END);
    }

    @Test
    void shouldShowBlocksAndCertificatesInTheOrderOfTheChain() {
        write();
        List<String> seen = new ArrayList<>();
        try (ArchiveReader archive = ArchiveReader.open(directory, CONFIG)) {
            ArchiveInspection.run(archive, new ArchiveInspection.Observer() {
                @Override
                public void onFinding(ArchiveFinding finding) {
                    seen.add(finding.fact());
                }

                @Override
                public void onBlock(Block block) {
                    seen.add("b" + block.header().sequence());
                }

                @Override
                public void onCertificate(CheckpointCertificate certificate) {
                    seen.add("c" + certificate.sequence());
                }
            });
        }

        assertThat(seen).containsExactly("b1", "b2", "b3", "b4", "c4", "b5", "b6", "b7", "b8", "b9", "b10");
    }

    @Test
    void shouldRefuseArchiveOfAnotherConfiguration() {
        write();

        assertThatThrownBy(() -> ArchiveReader.open(directory, Chains.config(8)))
                .isInstanceOf(ArchiveFormatException.class)
                .hasMessageContaining("blocks per segment 4, expected 8");
        ArchiveConfig foreign = new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS);
        assertThatThrownBy(() -> ArchiveReader.open(directory, foreign))
                .isInstanceOf(ArchiveFormatException.class)
                .hasMessageContaining("belongs to another genesis file");
    }

    @Test
    void shouldTellArchiveFromDirectoryWithoutBlocks() {
        assertThat(ArchiveReader.hasBlocks(directory)).isFalse();
        assertThat(ArchiveReader.hasBlocks(directory.resolve("absent"))).isFalse();

        write();

        assertThat(ArchiveReader.hasBlocks(directory)).isTrue();
    }

    private void write() {
        try (BlockArchive archive = BlockArchive.open(directory, CONFIG)) {
            chain.forEach(archive::append);
            archive.putCertificate(
                    Chains.certificate(1, 4, Block.wrap(chain.get(3)).hash()));
        }
    }

    private List<ArchiveFinding> inspect() {
        try (ArchiveReader archive = ArchiveReader.open(directory, CONFIG)) {
            return ArchiveInspection.of(archive);
        }
    }

    private List<Kind> kinds() {
        return inspect().stream().map(ArchiveFinding::kind).toList();
    }

    private Path segment(long first) {
        return SegmentFiles.path(directory, first);
    }

    private static void flipLast(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
    }
}
