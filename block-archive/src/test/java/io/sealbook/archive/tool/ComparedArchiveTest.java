package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code verify --against}: what an archive alone cannot show. The other archive has ten blocks, eight certified. */
class ComparedArchiveTest extends ArchiveCommandTest {
    @Test
    void shouldFindEqualArchivesEqual() {
        assertThat(verify("--allow-uncertified-tail")).isZero();
        assertThat(lines()).contains("against 10 equal blocks, the other archive has 1..10", "faults 0");
    }

    /** With its certificates: by itself it is a right archive of a node that was stopped earlier. */
    @Test
    void shouldNameBlocksThatWereCutOff() throws IOException {
        write(4, 0);
        assertThat(run("verify", archive, "--genesis", genesis)).isZero();

        assertThat(verify()).isEqualTo(4);
        assertThat(lines())
                .contains(
                        "against 4 equal blocks, the other archive has 1..10", "behind 6 blocks of the other archive");
        assertThat(verify("--allow-uncertified-tail")).isEqualTo(4);
    }

    @Test
    void shouldFindAnotherHistory() throws IOException {
        write(10, 9);

        assertThat(verify("--allow-uncertified-tail")).isEqualTo(1);
        assertThat(lines())
                .contains("against 8 equal blocks, the other archive has 1..10", "faults 1")
                .anyMatch(line -> line.startsWith("fault block 9 has hash "));
    }

    /** The nodes sign one result only: a quorum that signed two of them is the end of the chain. */
    @Test
    void shouldFindAnotherResult() throws IOException {
        clear();
        try (BlockArchive target = BlockArchive.open(Path.of(archive), CHAIN.config())) {
            for (int sequence = 1; sequence <= 4; sequence++) {
                target.append(CHAIN.block(sequence));
            }
            target.putCertificate(CHAIN.certificate(4, Digest.ZERO, 0, 1, 3));
        }

        assertThat(verify()).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault certificate 4 says something else"));
    }

    @Test
    void shouldRefuseTheArchiveOfAnotherChain() throws IOException {
        Path strange = directory.resolve("strange");
        new CertifiedChain(2).writeTo(strange);

        assertThat(run("verify", archive, "--genesis", genesis, "--against", strange.toString()))
                .isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault the other archive has genesis digest "));
    }

    @Test
    void shouldNotNeedTheOtherArchiveToBeWhole() throws IOException {
        Path damaged = directory.resolve("damaged");
        CHAIN.writeTo(damaged);
        Path segment = damaged.resolve(segment(5).getFileName());
        flip(segment, (int) Files.size(segment) - 5);

        assertThat(run(
                        "verify",
                        archive,
                        "--genesis",
                        genesis,
                        "--allow-uncertified-tail",
                        "--against",
                        damaged.toString()))
                .isZero();
        assertThat(lines())
                .contains("against 9 equal blocks, the other archive has 1..10, 1 damaged ones of it not compared");
    }

    /** No block of it was read here. */
    @Test
    void shouldNotTakeAnArchiveForEqualThatEndsBeforeTheFirstBlockRead() {
        Path shorter = writeFirst(4);

        assertThat(verifyAgainst(shorter, "--allow-uncertified-tail", "--from", "5"))
                .isEqualTo(4);
        assertThat(lines())
                .contains(
                        "against 0 equal blocks, the other archive has 1..4",
                        "not compared: the newest block of both archives",
                        "faults 0");
        assertThat(verifyAgainst(shorter, "--allow-uncertified-tail", "--from", "4"))
                .isZero();
    }

    /** The newest one of a full segment: no later block shows its hash. */
    @Test
    void shouldNotTakeAnArchiveForEqualWhoseNewestBlockIsDamaged() throws IOException {
        Path damaged = writeFirst(8);
        long offset;
        try (ArchiveReader reader = ArchiveReader.open(damaged)) {
            offset = reader.facts(8).orElseThrow().offset();
        }
        flip(damaged.resolve(segment(5).getFileName()), (int) offset + 60);

        assertThat(verifyAgainst(damaged, "--allow-uncertified-tail")).isEqualTo(4);
        assertThat(lines())
                .contains(
                        "against 7 equal blocks, the other archive has 1..8, 1 damaged ones of it not compared",
                        "not compared: the newest block of both archives",
                        "faults 0");
    }

    private Path writeFirst(int blocks) {
        Path written = directory.resolve("first");
        try (BlockArchive target = BlockArchive.open(written, CHAIN.config())) {
            for (int sequence = 1; sequence <= blocks; sequence++) {
                target.append(CHAIN.block(sequence));
            }
        }
        return written;
    }

    private int verify(String... options) {
        return verifyAgainst(pristine, options);
    }

    private int verifyAgainst(Path other, String... options) {
        String[] arguments = new String[options.length + 6];
        System.arraycopy(
                new String[] {"verify", archive, "--genesis", genesis, "--against", other.toString()},
                0,
                arguments,
                0,
                6);
        System.arraycopy(options, 0, arguments, 6, options.length);
        return run(arguments);
    }

    /** Writes blocks up to {@code last} with certificates; from {@code changedFrom} on other ones, 0 for none. */
    private void write(int last, int changedFrom) throws IOException {
        clear();
        try (BlockArchive target = BlockArchive.open(Path.of(archive), CHAIN.config())) {
            Digest previous = CHAIN.genesisFile().digest();
            for (int sequence = 1; sequence <= last; sequence++) {
                Block block = CHAIN.block(sequence);
                if (changedFrom > 0 && sequence >= changedFrom) {
                    block = later(block, previous);
                }
                target.append(block);
                previous = block.hash();
                if (sequence % 4 == 0) {
                    target.putCertificate(CHAIN.certificate(sequence, 0, 1, 3));
                }
            }
        }
    }

    private static Block later(Block block, Digest previous) {
        BlockBuilder builder = new BlockBuilder()
                .begin(
                        block.header().sequence(),
                        block.header().view(),
                        block.header().blockTimeNs() + 1,
                        block.header().proposalDigest(),
                        previous);
        for (int i = 0; i < block.batchCount(); i++) {
            builder.add(
                    block.batchId(i),
                    block.header().blockTimeNs() + 1,
                    block.array(),
                    block.batchOffset(i),
                    block.batchLength(i));
        }
        return builder.buildBlock();
    }

    private void clear() throws IOException {
        try (var files = Files.list(Path.of(archive))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
