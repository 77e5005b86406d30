package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateLogTest {
    @TempDir
    Path directory;

    private final List<byte[]> chain = Chains.chain(1, 9);
    private Path file;

    @BeforeEach
    void appendChain() {
        file = directory.resolve(CertificateLog.FILE_NAME);
        try (BlockArchive archive = open()) {
            chain.forEach(archive::append);
        }
    }

    @Test
    void shouldFindCertificatesBeforeAndAfterReopening() {
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(3));
            archive.putCertificate(certificate(6));
            archive.putCertificate(certificate(9));
            assertFindsAll(archive);
            assertThat(archive.certificateBefore(3)).isEmpty();
            assertThat(archive.certificateBefore(4)).contains(certificate(3));
            assertThat(archive.certificateBefore(6)).contains(certificate(3));
            assertThat(archive.certificateBefore(100)).contains(certificate(9));
        }
        try (BlockArchive archive = open();
                ArchiveReader reader = ArchiveReader.open(directory)) {
            assertFindsAll(archive);
            assertFindsAll(reader);
            assertThat(reader.certificateCount()).isEqualTo(3);
        }
    }

    private void assertFindsAll(BlockSource source) {
        assertThat(source.latestCertificate()).contains(certificate(9));
        assertThat(source.certificateAtOrAfter(1)).contains(certificate(3));
        assertThat(source.certificateAtOrAfter(3)).contains(certificate(3));
        assertThat(source.certificateAtOrAfter(4)).contains(certificate(6));
        assertThat(source.certificateAtOrAfter(9)).contains(certificate(9));
        assertThat(source.certificateAtOrAfter(10)).isEmpty();
    }

    @Test
    void shouldIgnoreCertificateThatIsNotNewer() throws IOException {
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(6));
            long length = Files.size(file);

            archive.putCertificate(certificate(6));
            archive.putCertificate(certificate(3));

            assertThat(Files.size(file)).isEqualTo(length);
            assertThat(archive.latestCertificate()).contains(certificate(6));
        }
    }

    @Test
    void shouldStopOnCertificateOfAnotherChainAndKeepOneAhead() {
        try (BlockArchive archive = open()) {
            CheckpointCertificate other = Chains.certificate(1, 3, Digest.ZERO);
            assertThatExceptionOfType(ChainViolationException.class)
                    .isThrownBy(() -> archive.putCertificate(other))
                    .withMessageContaining("block 3 has hash");
            assertThat(archive.latestCertificate()).isEmpty();

            archive.putCertificate(Chains.certificate(1, 100, Digest.ZERO));
            assertThat(archive.certificateAtOrAfter(10).orElseThrow().sequence())
                    .isEqualTo(100);
        }
    }

    @Test
    void shouldCutTornCertificateAtEveryByte() throws IOException {
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(3));
        }
        byte[] one = Files.readAllBytes(file);
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(6));
        }
        byte[] two = Files.readAllBytes(file);

        for (int length = one.length; length < two.length; length++) {
            Files.write(file, Arrays.copyOf(two, length));
            try (BlockArchive archive = open()) {
                assertThat(archive.latestCertificate()).contains(certificate(3));
                archive.putCertificate(certificate(6));
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(two);
        }
    }

    @Test
    void shouldNameDamageBeforeTheLastCertificateWhateverBitFlips() throws IOException {
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(3));
        }
        int firstEnd = (int) Files.size(file);
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(6));
        }
        byte[] whole = Files.readAllBytes(file);

        for (int i = 0; i < whole.length; i++) {
            byte[] flipped = whole.clone();
            flipped[i] ^= (byte) (1 << i % 8);
            Files.write(file, flipped);
            if (i < firstEnd) {
                assertThatExceptionOfType(ArchiveFormatException.class)
                        .as("byte %d", i)
                        .isThrownBy(() -> ArchiveReader.open(directory))
                        .withMessageContaining(CertificateLog.FILE_NAME);
            } else {
                try (ArchiveReader reader = ArchiveReader.open(directory)) {
                    assertThat(reader.latestCertificate()).contains(certificate(3));
                }
            }
        }
    }

    /** A disk loses an extent: hundreds of certificates are a gap, and those behind it stay. */
    @Test
    void shouldGoOnBehindDamageOfAnyLength() throws IOException {
        int lastSequence = 2_000;
        Path alone = Files.createDirectory(directory.resolve("alone"));
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            for (int sequence = 1; sequence <= lastSequence; sequence++) {
                log.put(Chains.certificate(7, sequence, Digest.ZERO));
            }
        }
        long length = Files.size(alone.resolve(CertificateLog.FILE_NAME));
        try (FileChannel channel =
                FileChannel.open(alone.resolve(CertificateLog.FILE_NAME), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(256 << 10), length / 4);
        }

        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            assertThat(log.latest().orElseThrow().sequence()).isEqualTo(lastSequence);
            assertThat(log.gaps()).hasSize(1);
            CertificateGap gap = log.gaps().get(0);
            assertThat(log.count()).isEqualTo(lastSequence - (int) (gap.before() - gap.after() - 1));
        }
        assertThat(Files.size(alone.resolve(CertificateLog.FILE_NAME))).isEqualTo(length);
    }

    /** The new log has taken the name already: what follows must not go to the old file, which nothing names. */
    @Test
    void shouldAppendToTheNewLogWhenItsDirectoryCannotBeSynced() throws IOException {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            for (int sequence = 1; sequence <= 8; sequence++) {
                log.put(Chains.certificate(7, sequence, Digest.ZERO));
            }
        }
        Path damaged = alone.resolve(CertificateLog.FILE_NAME);
        try (FileChannel channel = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(8), Files.size(damaged) / 2);
        }
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            CertificateGap gap = log.gaps().get(0);
            List<CheckpointCertificate> missing = LongStream.range(gap.after() + 1, gap.before())
                    .mapToObj(sequence -> Chains.certificate(7, sequence, Digest.ZERO))
                    .toList();
            log.syncDirectoryWith(path -> {
                throw new IOException("Input/output error");
            });
            assertThatExceptionOfType(ArchiveException.class)
                    .isThrownBy(() -> log.fill(gap, missing, new Quarantine(alone)));
            assertThat(log.gaps()).containsExactly(gap);

            log.put(Chains.certificate(7, 9, Digest.ZERO));
        }

        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            assertThat(log.latest()).contains(Chains.certificate(7, 9, Digest.ZERO));
            assertThat(log.gaps()).isEmpty();
        }
    }

    /** Certificates of version 1 do not name the proposal, so nothing can be checked by them. */
    @Test
    void shouldRefuseALogOfVersionOne() throws IOException {
        try (BlockArchive archive = open()) {
            archive.putCertificate(certificate(3));
        }
        byte[] bytes = Files.readAllBytes(file);
        assertThat(bytes[8]).isEqualTo((byte) 2);
        bytes[8] = 1;
        Files.write(file, bytes);

        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> ArchiveReader.open(directory))
                .withMessageContaining("version 1, expected 2");
    }

    /** A record of version 1 under a head of version 2: without the digest of the proposal its lengths do not fit. */
    @Test
    void shouldRefuseACertificateOfVersionOne() {
        byte[] two = certificate(3).encode();
        byte[] one = new byte[two.length - Digest.LENGTH];
        System.arraycopy(two, 0, one, 0, 72);
        System.arraycopy(two, 104, one, 72, two.length - 104);

        assertThatIllegalArgumentException().isThrownBy(() -> CheckpointCertificate.decode(one));
    }

    @Test
    void shouldDecodeWhatItEncodedAndRefuseOtherLengths() {
        CheckpointCertificate certificate = certificate(3);
        byte[] bytes = certificate.encode();

        assertThat(CheckpointCertificate.decode(bytes)).isEqualTo(certificate).hasSameHashCodeAs(certificate);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatIllegalArgumentException().isThrownBy(() -> CheckpointCertificate.decode(cut));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CheckpointCertificate.decode(Arrays.copyOf(bytes, bytes.length + 1)));
    }

    @Test
    void shouldSignTagChainSequenceHashResultAndProposal() {
        byte[] signed = CheckpointCertificate.signedBytes(
                0x0102030405060708L, 9, Digest.of(repeat(1)), Digest.of(repeat(2)), Digest.of(repeat(3)));

        assertThat(signed)
                .hasSize(120)
                .startsWith('S', 'B', 'C', 'H', 'K', 'P', 'T', '2', 8, 7, 6, 5, 4, 3, 2, 1, 9, 0);
        assertThat(Arrays.copyOfRange(signed, 24, 56)).isEqualTo(repeat(1));
        assertThat(Arrays.copyOfRange(signed, 56, 88)).isEqualTo(repeat(2));
        assertThat(Arrays.copyOfRange(signed, 88, 120)).isEqualTo(repeat(3));
    }

    private static byte[] repeat(int value) {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private CheckpointCertificate certificate(int sequence) {
        return Chains.certificate(
                1, sequence, Block.wrap(chain.get(sequence - 1)).hash());
    }

    private BlockArchive open() {
        return BlockArchive.open(directory, Chains.config(4));
    }
}
