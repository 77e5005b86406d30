package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** From an order to what its broker signed: the commands that find, print and prove it. */
class OrderLookupTest extends ArchiveCommandTest {
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
                        "epoch 0",
                        "content proven",
                        "signature valid",
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
                        "blockTime 1970-01-01T00:00:06Z",
                        "executed unknown",
                        "certifiedSequence 8")
                .as("no node keeps the time of receipt")
                .noneMatch(line -> line.startsWith("arrived"));

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
        assertThat(run("find", archive, "--broker", "5000000000", "--cl-ord-id", "1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'5000000000' is not an unsigned decimal number of 32 bits");
        assertThat(run("find", archive, "--broker", "4294967295", "--cl-ord-id", "1"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no order of broker 4294967295 ");
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
    void shouldNameBlocksThatWereNotSearchedForABatch() throws IOException {
        String proof = directory.resolve("none").toString();
        for (int sequence : new int[] {1, 3, 4}) {
            damage(sequence);
        }

        assertThat(run("prove", archive, "--batch", "00".repeat(32), "--out", proof))
                .isEqualTo(1);
        assertThat(lines())
                .containsExactly(
                        "batch " + "00".repeat(32) + " is not in blocks 1..10; not searched, damaged: 1, 3..4");
    }

    private void damage(int sequence) throws IOException {
        long offset;
        try (ArchiveReader whole = ArchiveReader.open(Path.of(archive))) {
            offset = whole.facts(sequence).orElseThrow().offset();
        }
        flip(segment(1), (int) offset + 100);
    }

    private static long firstClOrdId(Block block, int batchIndex) {
        return ByteBuffer.wrap(block.array())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(block.batchOffset(batchIndex) + SignedBatch.ORDERS_OFFSET);
    }

    private void deleteArchive() throws IOException {
        try (var files = Files.list(Path.of(archive))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }
}
