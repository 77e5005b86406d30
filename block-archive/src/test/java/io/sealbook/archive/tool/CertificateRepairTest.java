package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.archive.ArchiveFormatException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChangingChain;
import io.sealbook.archive.proof.CertifiedChain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Certificates that the disk has changed come back from another node's archive; they are believed by their signatures.
 */
class CertificateRepairTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static final int HEAD = 48;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path other;
    private Path genesis;
    private byte[] whole;

    @BeforeEach
    void writeArchives() throws IOException {
        archive = directory.resolve("archive");
        other = directory.resolve("other");
        genesis = Files.write(directory.resolve("genesis.json"), CHAIN.genesisJson());
        CHAIN.writeTo(archive);
        CHAIN.writeTo(other);
        whole = Files.readAllBytes(log(archive));
    }

    /** The head, the length of a record, its checksum, its sequence, a signature. */
    @ParameterizedTest
    @ValueSource(ints = {0, 13, 20, HEAD, HEAD + 5, HEAD + 12, HEAD + 150})
    void shouldBringDamagedCertificatesBack(int at) throws IOException {
        flip(archive, at);
        assertThatThrownBy(() -> ArchiveReader.open(archive))
                .isInstanceOf(ArchiveFormatException.class)
                .hasMessageContaining("block-archive.jar repair " + archive + " --from COPY --genesis FILE");

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(out.toString()).contains("repaired certificates: ").contains("no block is damaged");
        assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
        assertThat(directory.toFile().list()).containsExactlyInAnyOrder("archive", "other", "genesis.json");
    }

    /** Emptied, filled with zeros, a last record that no killed process leaves. */
    @Test
    void shouldBringBackWhatIsLostUpToTheLastBlock() throws IOException {
        byte[] flipped = whole.clone();
        flipped[flipped.length - 9] ^= 1;
        for (byte[] damaged : List.of(new byte[0], new byte[whole.length], flipped)) {
            Files.write(log(archive), damaged);

            assertThat(repair()).as(out.toString()).isZero();

            assertThat(out.toString()).contains(damaged == flipped ? "kept 1, took 1" : "kept 0, took 2");
            assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
            out.getBuffer().setLength(0);
        }
    }

    /**
     * A file that was deleted; what a node leaves that has opened one with a damaged end, or a new one in its place.
     */
    @Test
    void shouldBringBackMissingCertificates() throws IOException {
        for (int length : new int[] {0, HEAD, HEAD + (whole.length - HEAD) / 2}) {
            Files.write(log(archive), Arrays.copyOf(whole, length));
            if (length == 0) {
                Files.delete(log(archive));
            }

            assertThat(repair()).as(out.toString()).isZero();

            assertThat(out.toString()).contains(length > HEAD ? "kept 1, took 1" : "kept 0, took 2");
            assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
            assertThat(archive.resolve("damaged")).as("nothing was damaged").doesNotExist();
            out.getBuffer().setLength(0);
        }
    }

    @Test
    void shouldTakeNoCertificateOfABlockThatIsNotHere() throws IOException {
        Path shorter = directory.resolve("shorter");
        try (BlockArchive seven = BlockArchive.open(shorter, CHAIN.config())) {
            for (int sequence = 1; sequence <= 7; sequence++) {
                seven.append(CHAIN.block(sequence).bytes());
            }
        }
        Files.write(log(shorter), new byte[0]);
        archive = shorter;

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(out.toString()).contains("repaired certificates: kept 0, took 1");
        try (ArchiveReader reader = ArchiveReader.open(shorter)) {
            assertThat(reader.latestCertificate()).contains(CHAIN.certificate(4, 0, 1, 3));
        }
    }

    /** The members have certified both chains. */
    @Test
    void shouldTakeNoCertificateOfAnotherBlock() throws IOException {
        ChangingChain here = new ChangingChain(31);
        ChangingChain there = new ChangingChain(31);
        there.newKey();
        archive = directory.resolve("here");
        other = directory.resolve("there");
        Files.write(genesis, here.genesisJson());
        for (ChangingChain chain : List.of(here, there)) {
            chain.appendOrders(1);
            chain.certify();
            chain.appendOrders(1);
        }
        here.writeTo(archive);
        there.writeTo(other);
        flip(archive, HEAD + 12);

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(out.toString()).contains("repaired certificates: kept 1, took 0");
    }

    /** The log may be larger than what a running node keeps, or that is used up. */
    @Test
    void shouldKeepADamagedLogAlsoBesideOthers() throws IOException {
        Path damaged = Files.createDirectory(archive.resolve("damaged"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(damaged.resolve("block-1-00000000.bytes").toFile(), "rw")) {
            sparse.setLength(64 << 20);
        }
        for (int time = 0; time < 2; time++) {
            flip(archive, HEAD + 12);
            byte[] before = Files.readAllBytes(log(archive));

            assertThat(repair()).as(out.toString()).isZero();

            assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
            assertThat(files(damaged))
                    .filteredOn(file -> file.getFileName().toString().matches("certificates-[0-9a-f]{8}\\.log"))
                    .singleElement()
                    .satisfies(kept -> assertThat(kept).hasBinaryContent(before));
        }
    }

    @Test
    void shouldChangeNothingIfADamagedLogCannotBeKept() throws IOException {
        Files.createFile(archive.resolve("damaged"));
        flip(archive, HEAD + 12);
        byte[] before = Files.readAllBytes(log(archive));
        List<Path> filesBefore = files(archive);

        assertThat(repair()).isEqualTo(3);

        assertThat(out.toString()).contains("cannot repair the certificates in " + archive);
        assertThat(Files.readAllBytes(log(archive))).isEqualTo(before);
        assertThat(files(archive)).containsExactlyInAnyOrderElementsOf(filesBefore);
    }

    /** As with a full disk. The node appends to the damaged log next, which must not change what is kept. */
    @Test
    void shouldKeepNothingIfTheNewLogCannotBeWritten() throws IOException {
        flip(archive, HEAD + 12);
        byte[] before = Files.readAllBytes(log(archive));
        Files.createDirectory(archive.resolve("certificates.log.unfinished"));

        assertThat(repair()).isEqualTo(3);

        assertThat(out.toString()).contains("cannot repair the certificates in " + archive);
        assertThat(Files.readAllBytes(log(archive))).isEqualTo(before);
        assertThat(archive.resolve("damaged")).doesNotExist();
    }

    @Test
    void shouldRepairBlocksToo() throws IOException {
        flip(archive, HEAD + 12);
        Path segment = archive.resolve("segment-%019d.blocks".formatted(1));
        byte[] blocks = Files.readAllBytes(segment);
        long offset;
        try (ArchiveReader reader = ArchiveReader.open(other)) {
            offset = reader.facts(2).orElseThrow().offset();
        }
        byte[] damaged = blocks.clone();
        damaged[(int) offset + 60] ^= 1;
        Files.write(segment, damaged);

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(out.toString()).contains("repaired certificates: ").contains("repaired block 2");
        assertThat(Files.readAllBytes(segment)).isEqualTo(blocks);
    }

    @Test
    void shouldLeaveWholeCertificatesAlone() throws IOException {
        assertThat(repair()).isZero();

        assertThat(out.toString().lines()).containsExactly("no block is damaged");
        assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
    }

    /**
     * The other archive's certificate names too few signers: what is here and whole stays, the other one is left out.
     */
    @Test
    void shouldTakeNoCertificateWithoutAQuorum() throws IOException {
        CheckpointCertificate first;
        CheckpointCertificate second;
        try (ArchiveReader reader = ArchiveReader.open(other)) {
            first = reader.certificateAtOrAfter(1).orElseThrow();
            second = reader.latestCertificate().orElseThrow();
        }
        Files.delete(log(other));
        try (BlockArchive forged = BlockArchive.open(other, CHAIN.config())) {
            forged.putCertificate(new CheckpointCertificate(
                    first.sequence(),
                    first.chainHash(),
                    first.resultDigest(),
                    first.proposalDigest(),
                    first.signatures().subList(0, 2)));
        }
        flip(archive, HEAD + 12);

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(out.toString()).contains("repaired certificates: kept 1, took 0");
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            assertThat(reader.certificateAtOrAfter(1)).contains(second);
        }
    }

    /** The directory of the archive is a disk: no file beside it can be given a name in it. */
    @Test
    void shouldRepairAnArchiveOnAFileSystemOfItsOwn() throws IOException {
        assumeTrue(Files.isWritable(SHARED_MEMORY), "needs /dev/shm: no other file system for the archive");
        flip(archive, HEAD + 12);
        Path elsewhere = Files.createTempDirectory(SHARED_MEMORY, "sealbook");
        try {
            for (Path file : files(archive)) {
                Files.move(file, elsewhere.resolve(file.getFileName()));
            }
            Files.delete(archive);
            Files.createSymbolicLink(archive, elsewhere);

            assertThat(repair()).as(out.toString()).isZero();

            assertThat(Files.readAllBytes(log(archive))).isEqualTo(whole);
            assertThat(files(archive)).noneMatch(file -> file.toString().endsWith(".unfinished"));
            assertThat(directory.toFile().list()).containsExactlyInAnyOrder("archive", "other", "genesis.json");
        } finally {
            for (Path file : filesBelow(elsewhere).reversed()) {
                Files.delete(file);
            }
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static List<Path> filesBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.toList();
        }
    }

    private int repair() {
        PrintWriter printer = new PrintWriter(out, true);
        return ArchiveTool.run(
                printer,
                printer,
                List.of("repair", archive.toString(), "--from", other.toString(), "--genesis", genesis.toString())
                        .toArray(String[]::new));
    }

    private static void flip(Path archive, int at) throws IOException {
        byte[] bytes = Files.readAllBytes(log(archive));
        bytes[at] ^= 1;
        Files.write(log(archive), bytes);
    }

    private static Path log(Path archive) {
        return archive.resolve("certificates.log");
    }
}
