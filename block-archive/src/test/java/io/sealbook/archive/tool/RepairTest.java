package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.BlockRepair;
import io.sealbook.archive.ForwardedBlocks;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged block comes back from another node's archive, and nothing else does. Segments hold four blocks. */
class RepairTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static final int RECORD_HEADER = 32;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private Path archive;
    private Path other;
    private Path genesis;

    @BeforeEach
    void writeArchives() throws IOException {
        archive = directory.resolve("archive");
        other = directory.resolve("other");
        genesis = Files.write(directory.resolve("genesis.json"), CHAIN.genesisJson());
        CHAIN.writeTo(archive);
        CHAIN.writeTo(other);
    }

    /** First, inner and last of a closed segment, and of the open one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 8, 9})
    void shouldWriteADamagedBlockAnew(int sequence) throws IOException {
        flip(sequence, 40);

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(lines()).containsExactly("repaired block " + sequence);
        assertWhole();
    }

    /** The record header is between the blocks; a run reaches from one segment into the next. */
    @ParameterizedTest
    @CsvSource({"2,3", "1,4", "3,6", "4,5", "5,8"})
    void shouldWriteARunOfBlocksAnew(int first, int last) throws IOException {
        for (int sequence = first; sequence <= last; sequence++) {
            flip(sequence, 100);
            flip(sequence, -RECORD_HEADER + 9);
        }

        assertThat(repair()).as(out.toString()).isZero();

        assertThat(lines()).hasSize(last - first + 1);
        assertWhole();
    }

    @Test
    void shouldChangeNothingInAWholeArchive() throws IOException {
        byte[] before = Files.readAllBytes(segment(1));

        assertThat(repair()).isZero();

        assertThat(lines()).containsExactly("no block is damaged");
        assertThat(Files.readAllBytes(segment(1))).isEqualTo(before);
    }

    @Test
    void shouldNotTakeABlockThatIsDamagedThereToo() throws IOException {
        flip(3, 40);
        byte[] before = Files.readAllBytes(segment(1));
        Path kept = archive;
        archive = other;
        flip(3, 41);
        archive = kept;

        assertThat(repair()).isEqualTo(1);

        assertThat(lines().getFirst()).startsWith("fault blocks 3..3: in the other archive too: block 3: ");
        assertThat(Files.readAllBytes(segment(1))).isEqualTo(before);
    }

    /** The forger has the whole chain: his block 3 follows block 2, but block 4 of this archive names another one. */
    @Test
    void shouldNotTakeABlockThatThisArchiveDoesNotName() throws IOException {
        flip(3, 40);
        byte[] before = Files.readAllBytes(segment(1));
        other = directory.resolve("forged");
        try (BlockArchive forged = BlockArchive.open(other, CHAIN.config())) {
            forged.append(CHAIN.block(1));
            forged.append(CHAIN.block(2));
            forged.append(withoutItsFirstBatch(CHAIN.block(3)));
        }

        assertThat(repair()).isEqualTo(1);

        assertThat(lines())
                .containsExactly(
                        "fault blocks 3..3: block 3 of the other archive is not the one that this archive names");
        assertThat(Files.readAllBytes(segment(1))).isEqualTo(before);
    }

    /** No hash covers a signature. */
    @Test
    void shouldNotTakeABatchThatItsBrokerDidNotSign() throws IOException {
        flip(3, 40);
        byte[] altered = CHAIN.block(3).bytes().clone();
        altered[altered.length - 1] ^= 1;
        other = directory.resolve("forged");
        try (BlockArchive forged = BlockArchive.open(other, CHAIN.config())) {
            forged.append(CHAIN.block(1));
            forged.append(CHAIN.block(2));
            forged.append(altered);
        }

        assertThat(repair()).isEqualTo(1);

        assertThat(lines().getFirst()).contains("block 3: batch 4 is not signed by its broker");
    }

    /** A run may be larger than the memory: its blocks are judged one by one, and read again to be written. */
    @Test
    void shouldHoldFewBlocksOfARun() throws IOException {
        for (int sequence = 2; sequence <= 9; sequence++) {
            flip(sequence, 100);
            flip(sequence, -RECORD_HEADER + 9);
        }
        List<Long> held = new ArrayList<>();
        try (ArchiveReader reader = ArchiveReader.open(other)) {
            ForwardedBlocks source = new ForwardedBlocks(reader);

            BlockRepair.Result result = BlockRepair.run(archive, source, block -> {
                held.add(source.heldCount());
                return List.of();
            });

            assertThat(result.faults()).isEmpty();
            assertThat(result.repaired()).containsExactly(2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        }
        assertThat(held).hasSize(8).allMatch(blocks -> blocks <= 2);
        assertWhole();
    }

    /** Its signature may be another one, which no hash covers: it was not judged. */
    @Test
    void shouldNotWriteABlockThatIsNotTheOneThatWasJudged() throws IOException {
        flip(2, 40);
        flip(3, 40);
        byte[] before = Files.readAllBytes(segment(1));
        List<Long> judged = new ArrayList<>();

        BlockRepair.Result result;
        try (ArchiveReader reader = ArchiveReader.open(other)) {
            result = BlockRepair.run(archive, new ForwardedBlocks(reader), block -> {
                judged.add(block.header().sequence());
                if (judged.size() == 2) {
                    damageBlock3OfTheOther();
                }
                return List.of();
            });
        }

        assertThat(judged).containsExactly(2L, 3L);
        assertThat(result.repaired()).containsExactly(2L);
        assertThat(result.faults())
                .containsExactly(
                        "blocks 2..3: the other archive has changed: block 3 is not the one that was read" + " before");
        assertThat(Files.readAllBytes(segment(1))).hasSameSizeAs(before);
        assertThat(ArchiveTool.run(new PrintWriter(out), new PrintWriter(out), "verify", archive.toString()))
                .as("block 3 is as it was")
                .isEqualTo(1);
        out.getBuffer().setLength(0);
        other = directory.resolve("third");
        CHAIN.writeTo(other);
        assertThat(repair()).as(out.toString()).isZero();
        assertThat(lines()).containsExactly("repaired block 3");
        assertWhole();
    }

    private void damageBlock3OfTheOther() {
        Path kept = archive;
        archive = other;
        try {
            flip(3, 41);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            archive = kept;
        }
    }

    private static byte[] withoutItsFirstBatch(Block block) {
        BlockBuilder builder = new BlockBuilder()
                .begin(
                        block.header().sequence(),
                        0,
                        block.header().blockTimeNs(),
                        Digest.ZERO,
                        block.header().previousHash());
        for (int i = 1; i < block.batchCount(); i++) {
            byte[] batch = Arrays.copyOfRange(
                    block.array(), block.batchOffset(i), block.batchOffset(i) + block.batchLength(i));
            builder.add(block.batchId(i), block.arrivalTimeNs(i), batch, 0, batch.length);
        }
        return builder.build();
    }

    private void assertWhole() {
        try (BlockArchive whole = BlockArchive.open(archive, CHAIN.config())) {
            assertThat(whole.recovery().damagedBlocks()).isEmpty();
            for (int sequence = 1; sequence <= CertifiedChain.BLOCKS; sequence++) {
                assertThat(whole.read(sequence)).hasValue(CHAIN.block(sequence).bytes());
            }
            assertThat(whole.lastHash())
                    .isEqualTo(CHAIN.block(CertifiedChain.BLOCKS).hash());
        }
        assertThat(ArchiveTool.run(
                        new PrintWriter(out, true),
                        new PrintWriter(out, true),
                        "verify",
                        archive.toString(),
                        "--genesis",
                        genesis.toString(),
                        "--allow-uncertified-tail"))
                .as(out.toString())
                .isZero();
    }

    private int repair() {
        PrintWriter printer = new PrintWriter(out, true);
        return ArchiveTool.run(
                printer,
                printer,
                "repair",
                archive.toString(),
                "--from",
                other.toString(),
                "--genesis",
                genesis.toString());
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    /** Flips a bit of a block's bytes, or of the record header before them; the place is that of the whole archive. */
    private void flip(int sequence, int at) throws IOException {
        BlockFacts facts;
        try (ArchiveReader whole = ArchiveReader.open(directory.resolve("other"))) {
            facts = whole.facts(sequence).orElseThrow();
        }
        Path file = segment((sequence - 1) / CertifiedChain.BLOCKS_PER_SEGMENT * CertifiedChain.BLOCKS_PER_SEGMENT + 1);
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) facts.offset() + at] ^= 1;
        Files.write(file, bytes);
    }

    private Path segment(long first) {
        return archive.resolve(String.format("segment-%019d.blocks", first));
    }
}
