package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveToolTest {
    private static final int HEAD_LENGTH = 96;
    private static final int STATE_OFFSET = 68;
    private static final int ENTRY_LENGTH = 32;
    private static final int RECORDS_OFFSET = HEAD_LENGTH + CertifiedChain.BLOCKS_PER_SEGMENT * ENTRY_LENGTH;

    private static final CertifiedChain CHAIN = new CertifiedChain(1);

    @TempDir
    static Path pristine;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String archive;
    private String genesis;

    @BeforeAll
    static void writePristine() {
        CHAIN.writeTo(pristine);
    }

    @BeforeEach
    void copyArchive() throws IOException {
        archive = directory.resolve("archive").toString();
        genesis = directory.resolve("genesis.json").toString();
        Files.createDirectory(Path.of(archive));
        try (var files = Files.list(pristine)) {
            for (Path file : files.toList()) {
                Files.copy(file, Path.of(archive).resolve(file.getFileName()));
            }
        }
        Files.write(Path.of(genesis), CHAIN.genesisJson());
    }

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

    @Test
    void shouldVerifyWholeArchive() {
        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(4);
        assertThat(lines())
                .containsExactly(
                        "blocks 10",
                        "batches 50",
                        "certificates 2",
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

    @Test
    void shouldNameEachDamagedBlockAndGoOn() throws IOException {
        Path file = segment(5);
        flip(file, RECORDS_OFFSET + 32 + 200);

        assertThat(run("verify", archive, "--genesis", genesis)).isEqualTo(1);
        assertThat(lines())
                .anyMatch(line -> line.startsWith("fault block 5: block damaged in " + file + " at offset 256: CRC32C"))
                .contains("blocks 9", "faults 1");
    }

    @Test
    void shouldFindDamageInEveryByteOfClosedSegmentsRecords() throws IOException {
        Path file = segment(5);
        byte[] whole = Files.readAllBytes(file);
        for (int i = RECORDS_OFFSET; i < whole.length; i += 13) {
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
                .isEqualTo("batch 2 id " + CHAIN.block(7).batchId(2).hex() + " arrived 1970-01-01T00:00:00.000000002Z"
                        + " bytes " + CHAIN.block(7).batchLength(2));

        assertThat(run("dump", archive, "--json")).isZero();
        assertThat(lines()).hasSize(10).allMatch(line -> line.startsWith("{\"sequence\":") && line.endsWith("}]}"));
        assertThat(lines().get(1)).contains("\"executionTimeNs\":2500000000,");
        assertThat(lines().get(2)).contains("\"executionTimeNs\":null,");

        assertThat(run("dump", archive, "--block", "11")).isEqualTo(2);
        assertThat(err.toString()).contains("block 11 is not here, archive has 1..10");
    }

    @Test
    void shouldProveByIdAndByPlaceAndVerifyOffline() throws IOException {
        Block block = CHAIN.block(3);
        String proof = directory.resolve("batch.proof").toString();
        String batch = directory.resolve("batch.bin").toString();
        assertThat(run("prove", archive, "--batch", block.batchId(4).hex(), "--out", proof))
                .isZero();
        assertThat(lines()).contains("block 3", "index 4", "certifiedSequence 4", "proofFile " + proof);

        // Nothing but the proof and the genesis file is left.
        deleteArchive();
        assertThat(run("verify-proof", proof, "--genesis", genesis, "--batch-out", batch))
                .isZero();
        assertThat(lines())
                .containsExactly(
                        "verdict proven",
                        "batch " + block.batchId(4).hex(),
                        "block 3",
                        "index 4",
                        "blockTime 1970-01-01T00:00:03Z",
                        "certifiedSequence 4",
                        "signers [0, 1, 3]",
                        "quorum 3",
                        "content proven",
                        "batchFile " + batch);
        assertThat(Files.readAllBytes(Path.of(batch)))
                .isEqualTo(Arrays.copyOfRange(
                        block.array(), block.batchOffset(4), block.batchOffset(4) + block.batchLength(4)));
    }

    /** From a ClOrdID to what its broker signed, by the four commands that the documents name. */
    @Test
    void shouldFindReadAndProveAnOrder() throws IOException {
        Block block = CHAIN.block(6);
        ByteBuffer order = ByteBuffer.wrap(block.array(), block.batchOffset(2) + SignedBatch.ORDERS_OFFSET, 48)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
        String clOrdId = Long.toUnsignedString(order.getLong(0));
        String price = " price " + order.getLong(16) + " quantity " + order.getLong(24) + " ";
        String id = block.batchId(2).hex();
        String proof = directory.resolve("order.proof").toString();

        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId))
                .isZero();
        assertThat(lines()).hasSize(1);
        assertThat(lines().getFirst())
                .startsWith("order block 6 batch 2 order 0 batchId " + id + " blockTime 1970-01-01T00:00:06Z broker 1"
                        + " clOrdId " + clOrdId + " ")
                .contains(price);

        assertThat(run("order", archive, "--block", "6", "--batch", "2", "--order", "0"))
                .isZero();
        assertThat(lines())
                .contains(
                        "batchId " + id,
                        "broker 1",
                        "clOrdId " + clOrdId,
                        "price " + order.getLong(16),
                        "arrived 1970-01-01T00:00:00.000000002Z",
                        "executed unknown",
                        "certifiedSequence 8");

        assertThat(run("prove", archive, "--batch", id, "--out", proof)).isZero();
        deleteArchive();
        assertThat(run("verify-proof", proof, "--genesis", genesis, "--orders")).isZero();
        assertThat(lines())
                .contains("verdict proven", "content proven")
                .anyMatch(line -> line.startsWith("order 0 clOrdId " + clOrdId + " ") && line.contains(price));
    }

    @Test
    void shouldSayWhereItLookedForAnOrder() throws IOException {
        String clOrdId = Long.toUnsignedString(firstClOrdId(CHAIN.block(6), 2));

        assertThat(run("find", archive, "--broker", "2", "--cl-ord-id", clOrdId))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no order of broker 2 with ClOrdID " + clOrdId + " in blocks 1..10");

        for (String[] range : new String[][] {
            {"--to", "5"}, {"--from", "7"}, {"--since", "1970-01-01T00:00:06.5Z"}, {"--until", "1970-01-01T00:00:05.9Z"}
        }) {
            assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId, range[0], range[1]))
                    .as(range[0])
                    .isEqualTo(1);
        }
        assertThat(run(
                        "find",
                        archive,
                        "--broker",
                        "1",
                        "--cl-ord-id",
                        clOrdId,
                        "--since",
                        "1970-01-01T00:00:06Z",
                        "--until",
                        "1970-01-01T00:00:06Z"))
                .isZero();

        // Nanoseconds since 1970 have no number for these.
        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId, "--since", "1000-01-01T00:00:00Z"))
                .isZero();
        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId, "--until", "3000-01-01T00:00:00Z"))
                .isZero();
        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId, "--since", "3000-01-01T00:00:00Z"))
                .isEqualTo(1);

        flip(segment(5), (int) Files.size(segment(5)) - 1);
        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", clOrdId))
                .isEqualTo(1);
        assertThat(lines()).anyMatch(line -> line.startsWith("fault block 8: block damaged"));

        assertThat(run("find", archive, "--broker", "-1", "--cl-ord-id", "1")).isEqualTo(2);
        assertThat(run("find", archive, "--broker", "1", "--cl-ord-id", "x")).isEqualTo(2);
        assertThat(run("order", archive, "--block", "6", "--batch", "5", "--order", "0"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("block 6 has 5 batches, none at 5");
        assertThat(run("order", archive, "--block", "6", "--batch", "0", "--order", "9"))
                .isEqualTo(1);
        assertThat(run("order", archive, "--block", "11", "--batch", "0", "--order", "0"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("block 11 is not here, archive has 1..10");
    }

    @Test
    void shouldDumpOrders() {
        assertThat(run("dump", archive, "--block", "7", "--orders")).isZero();
        long orders = 0;
        for (int i = 0; i < CertifiedChain.BATCHES_PER_BLOCK; i++) {
            orders += (CHAIN.block(7).batchLength(i) - SignedBatch.signedLength(0)) / SignedBatch.ORDER_LENGTH;
        }
        assertThat(lines().stream().filter(line -> line.startsWith("order "))).hasSize((int) orders);

        assertThat(run("dump", archive, "--block", "7", "--json", "--orders")).isZero();
        assertThat(lines().getFirst())
                .contains(
                        "\"orders\":[{\"clOrdId\":\"" + Long.toUnsignedString(firstClOrdId(CHAIN.block(7), 0)) + "\",");
        assertThat(run(
                        "find",
                        archive,
                        "--broker",
                        "1",
                        "--json",
                        "--cl-ord-id",
                        Long.toUnsignedString(firstClOrdId(CHAIN.block(7), 0))))
                .isZero();
        assertThat(lines().getFirst()).startsWith("{\"block\":7,\"batch\":0,\"order\":0,\"batchId\":\"");
    }

    @Test
    void shouldRefuseProofThatWasChangedOrIsOfAnotherChain() throws IOException {
        Path proof = directory.resolve("batch.proof");
        assertThat(run("prove", archive, "--block", "2", "--index", "0", "--no-content", "--out", proof.toString()))
                .isZero();
        assertThat(run("verify-proof", proof.toString(), "--genesis", genesis)).isZero();
        assertThat(lines()).contains("content not carried");

        Files.write(Path.of(genesis), new CertifiedChain(2).genesisJson());
        assertThat(run("verify-proof", proof.toString(), "--genesis", genesis)).isEqualTo(1);
        assertThat(lines()).contains("verdict refused", "fault GENESIS");

        flip(proof, 90);
        assertThat(run("verify-proof", proof.toString(), "--genesis", genesis)).isEqualTo(1);
        assertThat(lines()).contains("verdict refused").anyMatch(line -> line.contains("damaged: CRC32C"));
    }

    @Test
    void shouldSayWhatCannotBeProven() {
        String proof = directory.resolve("none").toString();
        assertThat(run("prove", archive, "--batch", "00".repeat(32), "--out", proof))
                .isEqualTo(1);
        assertThat(lines()).containsExactly("batch " + "00".repeat(32) + " is not in blocks 1..10");
        assertThat(run("prove", archive, "--block", "9", "--index", "0", "--out", proof))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no certificate covers block 9 yet");
        assertThat(run("prove", archive, "--batch", "xyz", "--out", proof)).isEqualTo(2);
        assertThat(run("prove", archive, "--out", proof)).isEqualTo(2);
        assertThat(Path.of(proof)).doesNotExist();
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

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    private Path segment(long first) {
        return Path.of(archive, String.format("segment-%019d.blocks", first));
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

    private static void flip(Path file, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }

    private void deleteArchive() throws IOException {
        try (var files = Files.list(Path.of(archive))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static long firstClOrdId(Block block, int batchIndex) {
        return ByteBuffer.wrap(block.array())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(block.batchOffset(batchIndex) + SignedBatch.ORDERS_OFFSET);
    }
}
