package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.membership.Membership;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands about a whole archive: what is there, what is damaged, what a quorum certified. */
class ArchiveToolTest extends ArchiveCommandTest {
    private static final int HEAD_LENGTH = 96;
    private static final int STATE_OFFSET = 68;
    private static final int ENTRY_LENGTH = 32;
    private static final int RECORDS_OFFSET = HEAD_LENGTH + CertifiedChain.BLOCKS_PER_SEGMENT * ENTRY_LENGTH;

    @Test
    void shouldDescribeWhatIsThere() {
        assertThat(run("describe", archive)).isZero();

        assertThat(lines())
                .contains(
                        "genesisDigest " + CHAIN.genesisFile().digest().hex(),
                        "blocksPerSegment 4",
                        "segments 3",
                        "tornBytes 0",
                        "firstSequence 1",
                        "lastSequence 10",
                        "lastHash " + CHAIN.block(10).hash().hex(),
                        "lastBlockTime 1970-01-01T00:00:10Z",
                        "certificates 2",
                        "certifiedSequence 8",
                        "certificateSignatures 3");
    }

    /** As on a full disk. */
    /** Of a program that lets the tool answer elsewhere. */
    @Test
    void shouldNotJudgeTheStandardOutputOfItsCaller() {
        PrintStream standard = System.out;
        System.setOut(new PrintStream(new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        }));
        try {
            System.out.println("lost");
            StringWriter answer = new StringWriter();
            PrintWriter out = new PrintWriter(answer);

            assertThat(ArchiveTool.run(out, out, "--help")).isZero();
        } finally {
            System.setOut(standard);
        }
    }

    @Test
    void shouldFailIfItsAnswerIsCutOff() {
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        StringWriter err = new StringWriter();

        int exitCode = ArchiveTool.run(
                new PrintWriter(full, true), new PrintWriter(err, true), "describe", archive.toString());

        assertThat(exitCode).isEqualTo(ArchiveTool.UNREADABLE);
        assertThat(err.toString()).contains("standard output cannot be written");
    }

    @Test
    void shouldVerifyWholeArchive() {
        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(4);
        assertThat(lines())
                .containsExactly(
                        "blocks 10",
                        "batches 50",
                        "certificates 2",
                        "transactions 0",
                        "membershipDigest "
                                + Membership.of(CHAIN.genesisFile().genesis())
                                        .digest()
                                        .hex(),
                        "certified 1..8 of 10",
                        "uncertified 9..10",
                        "tornBytes 0",
                        "faults 0");

        assertThat(run("verify", archive, "--genesis", genesis, "--allow-uncertified-tail"))
                .isZero();
        assertThat(lines()).contains("certified 1..8 of 10", "uncertified 9..10", "faults 0");
    }

    @Test
    void shouldProveNothingWithoutGenesisFile() {
        assertThat(run("verify", archive)).isEqualTo(4);
        assertThat(lines()).contains("certified none of 10", "signatures not checked: no --genesis given", "faults 0");

        assertThat(run("verify", archive, "--allow-uncertified-tail")).isEqualTo(2);
        assertThat(run("verify", archive, "--genesis", genesis, "--allow-uncertified-tail=-3"))
                .isEqualTo(2);
    }

    /** The first segment has a head, and nothing after it: all blocks were cut off together with the certificates. */
    @Test
    void shouldProveNothingOfAnArchiveWithoutBlocks() throws IOException {
        String empty = directory.resolve("empty").toString();
        try (BlockArchive one = BlockArchive.open(Path.of(empty), CHAIN.config())) {
            one.append(CHAIN.block(1).bytes());
        }
        Files.delete(Path.of(empty, "certificates.log"));
        Path segment = Path.of(empty).resolve(segment(1).getFileName());
        Files.write(segment, Arrays.copyOf(Files.readAllBytes(segment), RECORDS_OFFSET));

        for (String tail : List.of("--durability=disk", "--allow-uncertified-tail", "--allow-uncertified-tail=128")) {
            assertThat(run("verify", empty, "--genesis", genesis, tail))
                    .as(tail)
                    .isEqualTo(4);
            assertThat(lines()).contains("blocks 0", "certified none of 0", "no block is here", "faults 0");
        }
    }

    @Test
    void shouldNameEachDamagedBlockAndGoOn() throws IOException {
        Path file = segment(5);
        flip(file, RECORDS_OFFSET + 32 + 200);

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("fault block 5: block damaged in " + file + " at offset 256: CRC32C"))
                .contains("blocks 9", "faults 1");
    }

    /** Each field of the first record's head, and steps through all that follows, which one checksum covers. */
    @Test
    void shouldFindDamageAnywhereInClosedSegmentsRecords() throws IOException {
        Path file = segment(5);
        byte[] whole = Files.readAllBytes(file);
        for (int i = RECORDS_OFFSET; i < whole.length; i += i < RECORDS_OFFSET + 64 ? 4 : 101) {
            byte[] flipped = whole.clone();
            flipped[i] ^= 4;
            Files.write(file, flipped);

            assertThat(run("verify", archive)).as("byte %d", i).isEqualTo(1);
            assertThat(lines()).contains("faults 1");
        }
    }

    @Test
    void shouldRefuseCertificatesOfAnotherGenesisFile() throws IOException {
        Files.write(Path.of(genesis), new CertifiedChain(2).genesisJson());

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault genesis file has digest"));
    }

    /** What follows a hole can be verified alone, as the message says. */
    @Test
    void shouldSayHowToVerifyAnArchiveWithAHole() throws IOException {
        Files.delete(segment(5));

        assertThat(run("verify", archive, "--genesis", genesis, "--from", "9")).isEqualTo(3);
        assertThat(err.toString())
                .contains("segment of block 5 is missing, the next begins at 9")
                .contains("copy " + segment(5).getFileName() + " from the archive of another member")
                .contains("copy " + segment(9).getFileName() + ", those after it and certificates.log")
                .contains("block-archive.jar verify DIR --genesis FILE --from 9");

        Path behind = Files.createDirectory(Path.of(genesis).resolveSibling("behind"));
        for (Path file : List.of(segment(9), Path.of(archive, "certificates.log"))) {
            Files.copy(file, behind.resolve(file.getFileName()));
        }
        assertThat(run("verify", behind.toString(), "--genesis", genesis, "--from", "9"))
                .as(out::toString)
                .isEqualTo(4);
        assertThat(lines()).contains("blocks 2", "uncertified 9..10", "faults 0");
    }

    @Test
    void shouldNotPassOverFilesBehindShortenedSegment() throws IOException {
        shorten(segment(5));
        long bytesBehind = Files.size(segment(9));

        assertThat(run("describe", archive)).isZero();
        assertThat(lines())
                .contains("segments 2", "lastSequence 7")
                .anyMatch(line -> line.startsWith("note " + segment(9) + ": not read"));
        assertThat(tornBytes()).isGreaterThan(bytesBehind);

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines())
                .contains("blocks 7", "fault certificate 8: the archive ends with block 7", "faults 3")
                .anyMatch(line -> line.startsWith("fault block 8: the index of " + segment(5)))
                .anyMatch(
                        line -> line.startsWith("fault " + segment(9) + ": not read") && line.contains("--durability"));
        assertThat(tornBytes()).isGreaterThan(bytesBehind);
    }

    @Test
    void shouldJudgeFilesBehindShortenedSegmentByDurability() throws IOException {
        shorten(segment(5));

        assertThat(run("verify", archive, "--genesis", genesis, "--durability", "process"))
                .isEqualTo(1);
        assertThat(lines())
                .contains("blocks 7", "fault certificate 8: the archive ends with block 7", "faults 1")
                .anyMatch(line -> line.startsWith("note " + segment(9) + ": not read"))
                .anyMatch(line -> line.startsWith("note block 8: the index of " + segment(5)));

        assertThat(run("verify", archive, "--genesis", genesis, "--durability", "disk"))
                .isEqualTo(1);
        assertThat(lines())
                .contains("blocks 9", "tornBytes 0")
                .anyMatch(line -> line.startsWith("fault block 8: block damaged in " + segment(5)));
        assertThat(run("dump", archive, "--block", "10", "--durability", "disk"))
                .isZero();
        assertThat(run("dump", archive, "--block", "10")).isEqualTo(2);
        assertThat(run("verify", archive, "--durability", "paper")).isEqualTo(2);
    }

    @Test
    void shouldRebuildDamagedIndex() throws IOException {
        Path file = segment(1);
        byte[] whole = Files.readAllBytes(file);
        flip(file, HEAD_LENGTH + ENTRY_LENGTH * 2 + 9);
        assertThat(run("verify", archive)).isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault block 3: index entry damaged"));

        assertThat(run("rebuild-index", archive)).isZero();
        assertThat(lines()).containsExactly("segments 2", "blocks 8");

        assertThat(Files.readAllBytes(file)).isEqualTo(whole);
        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(4);
    }

    @Test
    void shouldEnterDamagedBlockWhenIndexIsRebuilt() throws IOException {
        flip(segment(5), (int) Files.size(segment(5)) - 1);

        assertThat(run("rebuild-index", archive)).isEqualTo(1);
        assertThat(lines()).contains("fault block 8 is damaged");
        assertThat(run("verify", archive)).isEqualTo(1);
        assertThat(lines()).contains("blocks 9", "faults 1");

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines()).contains("certified 1..4 of 10", "uncertified 5..10");
    }

    @Test
    void shouldDumpHeadersAndBatches() {
        assertThat(run("dump", archive, "--from", "2", "--to", "3")).isZero();
        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst())
                .startsWith("block 2 view 0 time 1970-01-01T00:00:02Z batches 5 bytes ")
                .contains(" hash " + CHAIN.block(2).hash().hex())
                .endsWith(" executed 1970-01-01T00:00:02.500Z");

        assertThat(run("dump", archive, "--block", "7")).isZero();
        assertThat(lines()).hasSize(6);
        assertThat(lines().get(3))
                .isEqualTo("batch 2 id " + CHAIN.block(7).batchId(2).hex() + " bytes "
                        + CHAIN.block(7).batchLength(2));

        assertThat(run("dump", archive, "--json")).isZero();
        assertThat(lines()).hasSize(10).allMatch(line -> line.startsWith("{\"sequence\":") && line.endsWith("}]}"));
        assertThat(lines()).noneMatch(line -> line.contains("arrival"));
        assertThat(lines().get(1)).contains("\"executionTimeNs\":2500000000,");
        assertThat(lines().get(2)).contains("\"executionTimeNs\":null,");

        assertThat(run("dump", archive, "--block", "11")).isEqualTo(2);
        assertThat(err.toString()).contains("block 11 is not here, archive has 1..10");
    }

    @Test
    void shouldTellWrongUseFromFilesThatAreNoArchive() throws IOException {
        assertThat(run()).isEqualTo(2);
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(run("describe")).isEqualTo(2);
        assertThat(run("describe", directory.toString())).isEqualTo(3);
        assertThat(err.toString()).contains("holds no segment file");
        assertThat(run("verify", directory.resolve("absent").toString())).isEqualTo(3);
        assertThat(run(
                        "verify",
                        archive,
                        "--genesis",
                        directory.resolve("absent").toString()))
                .isEqualTo(3);
        assertThat(run("verify", archive, "--genesis", directory.toString())).isEqualTo(3);
        assertThat(err.toString()).contains("cannot read " + directory + ": ").containsIgnoringCase("is a directory");
        flip(segment(1), 0);
        assertThat(run("describe", archive)).isEqualTo(3);
        assertThat(err.toString()).contains("magic is");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"describe", "verify", "dump", "find", "order", "prove", "verify-proof", "rebuild-index", "repair"
            })
    void shouldHelp(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: block-archive " + command);
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains(command).contains("Exit codes:");
    }

    /** Leaves a segment as a loss of power, or damage, may: not marked closed and without its last byte. */
    private static void shorten(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, STATE_OFFSET, STATE_OFFSET + 4, (byte) 0);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    }

    private long tornBytes() {
        return lines().stream()
                .filter(line -> line.startsWith("tornBytes "))
                .mapToLong(line -> Long.parseLong(line.substring("tornBytes ".length())))
                .sum();
    }
}
