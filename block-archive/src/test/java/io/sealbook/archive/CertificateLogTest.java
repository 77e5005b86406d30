package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            assertThat(log.count())
                    .as("all but those in the gap, of which the first is whole")
                    .isEqualTo(lastSequence - (int) (gap.before() - gap.after() - 2));
            assertThat(log.atOrAfter(gap.after() + 1).orElseThrow().sequence()).isEqualTo(gap.after() + 1);
        }
        assertThat(Files.size(alone.resolve(CertificateLog.FILE_NAME))).isEqualTo(length);
    }

    /**
     * A disk has written whole records in wrong places; 0 is a damaged record. A record that was written in the place
     * of an older one can be among the kept ones: the gap must contain the older one.
     */
    @ParameterizedTest
    @CsvSource({
        "3 6 3, 3 6, 3-6",
        "3 12 9, 3 12, 3-12",
        "3 9 0 12, 3 9 12, 3-12",
        "3 9 9 12, 3 9 12, 3-12",
        "3 9 6 12 15, 3 9 12 15, 3-12",
        "3 15 18 12 15 18 21, 3 12 15 18 21, 0-12",
        "12 15 9 12 15 18 21, 9 12 15 18 21, 0-9",
        "3 6 0 6 9 0 12, 3 6 9 12, 3-12",
        "30 3 6 9 0, 3 6 9, 0-3",
        "3 6 9 12 3 6, 3 6 9 12, 9-12",
    })
    void shouldKeepTheLongestAscendingRunOfRecords(String written, String kept, String gap) throws IOException {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        writeRecords(alone, numbers(written));
        String[] ends = gap.split("-");
        CertificateGap expected = new CertificateGap(Long.parseLong(ends[0]), Long.parseLong(ends[1]));

        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            assertHolds(log, numbers(kept));
            assertThat(log.gaps()).containsExactly(expected);
            log.put(Chains.certificate(7, 33, Digest.ZERO));
        }

        List<Long> all = Stream.concat(numbers(kept).stream(), Stream.of(33L)).toList();
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            assertHolds(log, all);
            List<CheckpointCertificate> missing = LongStream.range(expected.after() + 1, expected.before())
                    .filter(sequence -> sequence % 3 == 0)
                    .mapToObj(sequence -> Chains.certificate(7, sequence, Digest.ZERO))
                    .toList();
            log.gaps().forEach(each -> log.fill(each, missing, new Quarantine(alone)));
            assertThat(log.gaps()).isEmpty();
            assertThat(log.latest().orElseThrow().sequence()).isEqualTo(33);
        }
        try (CertificateLog log =
                CertificateLog.openReadOnly(alone, Digest.ZERO).orElseThrow()) {
            assertThat(log.tail()).isEmpty();
            assertThat(log.count()).isGreaterThanOrEqualTo(all.size());
        }
    }

    /** What comes after the last kept record is cut, so that a reader of the stopped node's archive goes on. */
    @Test
    void shouldCutWhatIsOutOfOrderAfterTheLastKeptRecord() throws IOException {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        writeRecords(alone, List.of(3L, 6L, 3L));
        assertThatExceptionOfType(ArchiveFormatException.class)
                .isThrownBy(() -> CertificateLog.openReadOnly(alone, Digest.ZERO))
                .withMessageContaining("certificate 3 at offset")
                .withMessageContaining("repair");

        CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS).close();

        try (CertificateLog log =
                CertificateLog.openReadOnly(alone, Digest.ZERO).orElseThrow()) {
            assertHolds(log, List.of(3L, 6L));
            assertThat(log.tail()).isEmpty();
        }
    }

    /** Its checksum is right, and what it holds is no certificate. */
    @Test
    void shouldTakeARecordThatHoldsNoCertificateForADamagedOne() throws IOException {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        writeRecords(alone, List.of(3L, 6L, 9L));
        Path log = alone.resolve(CertificateLog.FILE_NAME);
        byte[] bytes = Files.readAllBytes(log);
        int recordLength = (bytes.length - 48) / 3;
        ByteBuffer second =
                ByteBuffer.wrap(bytes, 48 + recordLength, recordLength).slice().order(ByteOrder.LITTLE_ENDIAN);
        second.putInt(8 + 104, -1);
        byte[] covered = new byte[recordLength - 4];
        second.get(0, covered, 0, 4).get(8, covered, 4, recordLength - 8);
        second.putInt(4, Crc32c.of(covered));
        Files.write(log, bytes);

        try (CertificateLog opened = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            assertHolds(opened, List.of(3L, 9L));
            assertThat(opened.gaps()).containsExactly(new CertificateGap(0, 9));
        }
    }

    /** A record that is whole in the place of another one proves something else than what was asked for. */
    @Test
    void shouldFindThatTheDiskHasWrittenARecordOverAnotherWhileItIsOpen() throws IOException {
        Path alone = Files.createDirectory(directory.resolve("alone"));
        writeRecords(alone, List.of(3L, 6L, 9L, 12L));
        Path file = alone.resolve(CertificateLog.FILE_NAME);
        byte[] bytes = Files.readAllBytes(file);
        int recordLength = (bytes.length - 48) / 4;
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS);
                CertificateLog reader =
                        CertificateLog.openReadOnly(alone, Digest.ZERO).orElseThrow()) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(bytes, 48, recordLength), 48 + recordLength);
            }

            assertThatExceptionOfType(ArchiveFormatException.class).isThrownBy(() -> reader.atOrAfter(6));
            assertThat(log.check()).isEqualTo(3);
            assertHolds(log, List.of(3L, 9L, 12L));
            assertThat(log.gaps()).containsExactly(new CertificateGap(3, 9));
        }
    }

    private static List<Long> numbers(String text) {
        return Stream.of(text.split(" ")).map(Long::parseLong).toList();
    }

    /** @param written sequences by place; 0 is a damaged record */
    private static void writeRecords(Path alone, List<Long> written) throws IOException {
        try (CertificateLog log = CertificateLog.open(alone, Digest.ZERO, Durability.PROCESS)) {
            log.put(Chains.certificate(7, 1, Digest.ZERO));
        }
        Path log = alone.resolve(CertificateLog.FILE_NAME);
        byte[] head = Arrays.copyOf(Files.readAllBytes(log), 48);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(head);
        for (long sequence : written) {
            Path one = Files.createTempDirectory(alone, "one");
            try (CertificateLog other = CertificateLog.open(one, Digest.ZERO, Durability.PROCESS)) {
                other.put(Chains.certificate(7, Math.max(1, sequence), Digest.ZERO));
            }
            byte[] whole = Files.readAllBytes(one.resolve(CertificateLog.FILE_NAME));
            byte[] record = Arrays.copyOfRange(whole, 48, whole.length);
            bytes.write(sequence == 0 ? new byte[record.length] : record);
        }
        Files.write(log, bytes.toByteArray());
    }

    private static void assertHolds(CertificateLog log, List<Long> sequences) {
        List<Long> found = new ArrayList<>();
        for (var next = log.atOrAfter(1); next.isPresent(); ) {
            found.add(next.get().sequence());
            next = log.atOrAfter(next.get().sequence() + 1);
        }
        assertThat(found).isEqualTo(sequences);
        assertThat(log.count()).isEqualTo(sequences.size());
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
