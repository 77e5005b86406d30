package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that is opened again beside the node that writes shows what a new reader shows, and reads less. */
class LaterReaderTest {
    private static final int PER_SEGMENT = 8;

    @TempDir
    Path directory;

    @Test
    void shouldReadOnlyTheBlocksThatWereAppendedSince() {
        List<byte[]> chain = Chains.chain(1, 5);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(PER_SEGMENT))) {
            chain.subList(0, 3).forEach(archive::append);
            try (ArchiveReader earlier = ArchiveReader.open(directory)) {
                chain.subList(3, 5).forEach(archive::append);
                archive.putExecutionTime(2, 77);

                try (ArchiveReader later = earlier.later()) {
                    long newBytes = chain.subList(3, 5).stream()
                            .mapToLong(block -> SegmentRecord.HEADER_LENGTH + block.length)
                            .sum();
                    assertThat(later.scannedBytes()).isEqualTo(newBytes);
                    assertThat(later.lastSequence()).isEqualTo(5);
                    assertThat(later.facts(2).orElseThrow().executionTimeNs()).hasValue(77);
                    assertThat(later.read(5)).hasValue(chain.get(4));
                }
                assertThat(earlier.lastSequence())
                        .as("what was there when it was opened")
                        .isEqualTo(3);
                assertThat(earlier.read(3)).hasValue(chain.get(2));
            }
        }
    }

    @Test
    void shouldShowWhatANewReaderShows() {
        Random random = new Random(2);
        List<byte[]> chain = Chains.chain(2, 200);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(PER_SEGMENT))) {
            archive.append(chain.get(0));
            ArchiveReader reader = ArchiveReader.open(directory);
            for (int at = 1; at < chain.size(); ) {
                int end = Math.min(chain.size(), at + random.nextInt(2 * PER_SEGMENT));
                for (; at < end; at++) {
                    archive.append(chain.get(at));
                    if (random.nextInt(4) == 0) {
                        archive.putExecutionTime(1 + random.nextInt(at), 1 + random.nextInt(1_000));
                    }
                    if (random.nextInt(4) == 0) {
                        archive.putCertificate(Chains.certificate(at, at + 1, archive.lastHash()));
                    }
                }
                // A closed reader is enough.
                reader.close();
                reader = reader.later();
                assertThatItShowsWhatIsThere(reader);
            }
            reader.close();
        }
    }

    /** A certificate comes after its block, also while somebody reads the blocks before. */
    @Test
    void shouldHaveTheBlockOfEachCertificateOfANodeThatWrites() throws Exception {
        List<byte[]> chain = Chains.chain(4, 600, 3, 40_000);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(chain.size()))) {
            write(archive, chain, 0, 200);
            ArchiveReader later = ArchiveReader.open(directory);
            CompletableFuture<Void> writing =
                    CompletableFuture.runAsync(() -> write(archive, chain, 200, chain.size()));
            do {
                try (ArchiveReader reader = ArchiveReader.open(directory)) {
                    assertThatOneBlockAtMostLacksItsCertificate(reader);
                }
                later.close();
                later = later.later();
                assertThatOneBlockAtMostLacksItsCertificate(later);
            } while (!writing.isDone());
            later.close();
            writing.join();
        }
    }

    private static void write(BlockArchive archive, List<byte[]> chain, int from, int to) {
        for (int at = from; at < to; at++) {
            archive.append(chain.get(at));
            archive.putCertificate(Chains.certificate(at, at + 1, archive.lastHash()));
        }
    }

    private static void assertThatOneBlockAtMostLacksItsCertificate(ArchiveReader reader) {
        assertThat(reader.latestCertificate().orElseThrow().sequence())
                .isBetween(reader.lastSequence() - 1, reader.lastSequence());
        assertThat(reader.findings())
                .extracting(ArchiveFinding::kind)
                .doesNotContain(ArchiveFinding.Kind.DAMAGED_CERTIFICATE);
    }

    /** A crash has taken the last block, and the node has written another one in its place. */
    @Test
    void shouldScanAgainIfTheFileDoesNotContinue() throws IOException {
        List<byte[]> chain = Chains.chain(3, 3);
        ArchiveReader reader;
        long offset;
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(PER_SEGMENT))) {
            chain.forEach(archive::append);
            reader = ArchiveReader.open(directory);
            offset = reader.facts(3).orElseThrow().offset();
            reader.close();
        }
        try (FileChannel file = FileChannel.open(SegmentFiles.path(directory, 1), StandardOpenOption.WRITE)) {
            file.truncate(offset);
        }
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(PER_SEGMENT))) {
            archive.append(Chains.block(new Random(99), 3, archive.lastHash(), 2, 300));
            archive.append(Chains.block(new Random(98), 4, archive.lastHash(), 2, 300));

            try (ArchiveReader later = reader.later()) {
                assertThat(later.lastSequence()).isEqualTo(4);
                assertThatItShowsWhatIsThere(later);
            }
        }
    }

    @Test
    void shouldShowABlockAgainThatWasRepaired() throws IOException {
        List<byte[]> chain = Chains.chain(4, 4);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(PER_SEGMENT))) {
            chain.forEach(archive::append);
        }
        long offset;
        try (ArchiveReader whole = ArchiveReader.open(directory)) {
            offset = whole.facts(2).orElseThrow().offset() + 40;
        }
        flip(offset);
        ArchiveReader reader = ArchiveReader.open(directory);
        assertThatThrownBy(() -> reader.read(2)).isInstanceOf(BlockDamagedException.class);
        reader.close();
        flip(offset);

        try (ArchiveReader later = reader.later()) {
            assertThat(later.read(2)).hasValue(chain.get(1));
        }
    }

    private void flip(long offset) throws IOException {
        Path file = SegmentFiles.path(directory, 1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            byte[] one = PositionalIo.read(channel, file, offset, 1);
            one[0] ^= 1;
            PositionalIo.write(channel, ByteBuffer.wrap(one), offset);
        }
    }

    private void assertThatItShowsWhatIsThere(ArchiveReader later) {
        try (ArchiveReader fresh = ArchiveReader.open(directory)) {
            assertThat(later.lastSequence()).isEqualTo(fresh.lastSequence());
            assertThat(later.certificateCount()).isEqualTo(fresh.certificateCount());
            assertThat(later.latestCertificate()).isEqualTo(fresh.latestCertificate());
            assertThat(later.segmentCount()).isEqualTo(fresh.segmentCount());
            for (long sequence = 1; sequence <= fresh.lastSequence(); sequence++) {
                assertThat(later.facts(sequence)).isEqualTo(fresh.facts(sequence));
                assertThat(later.read(sequence)).hasValue(fresh.read(sequence).orElseThrow());
            }
        }
    }
}
