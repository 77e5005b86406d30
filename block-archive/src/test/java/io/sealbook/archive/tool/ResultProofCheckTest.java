package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultRoot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify-proof} of a result, the only one of block 4, which is certified. */
class ResultProofCheckTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(1);
    private static final ResultCell ACCEPTED = new ResultCell(2, 0, ResultEvent.ACCEPTED, 0, 5, 0, 80);

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private Path genesis;

    @BeforeEach
    void writeGenesis() throws IOException {
        genesis = Files.write(directory.resolve("genesis.json"), CHAIN.genesisJson());
    }

    @Test
    void shouldPrintAProvenFillInFixTerms() throws IOException {
        assertThat(verify(proof(new ResultCell(2, 3, ResultEvent.RESTING_FILL, 0, 5, 9, 50))))
                .isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "verdict proven",
                        "kind RESULT",
                        "block 4",
                        "batch 2",
                        "order 3",
                        "broker 1",
                        "reportSequence 17",
                        "event RESTING_FILL",
                        "orderId 5",
                        "tradeId 9",
                        "lastQty 50",
                        "certifiedSequence 4",
                        "signers [0, 1, 3]",
                        "quorum 3",
                        "epoch 0");
    }

    @Test
    void shouldPrintWhatEachEventHas() throws IOException {
        verify(proof(new ResultCell(2, 3, ResultEvent.INCOMING_FILL, 0, 101, -1, 50)));
        assertThat(out.toString().lines())
                .contains("event INCOMING_FILL", "lastPx 101", "tradeId 18446744073709551615", "lastQty 50")
                .noneMatch(line -> line.startsWith("orderId"));

        verify(proof(new ResultCell(ResultCell.NO_BATCH, ResultCell.NO_ORDER, ResultEvent.EXPIRED, 0, 5, 20, 60)));
        assertThat(out.toString().lines())
                .contains("event EXPIRED", "orderId 5", "cumQty 20", "takenOutQty 60")
                .noneMatch(line -> line.startsWith("batch"));

        verify(proof(new ResultCell(2, 3, ResultEvent.CANCEL_REJECTED, 7, 5, 20, 60)));
        assertThat(out.toString().lines())
                .contains("event CANCEL_REJECTED", "rejectReason TOO_LATE", "cumQty 20", "leavesQty 60");
    }

    @Test
    void shouldPrintTheEntryThatCausedAResult() throws IOException {
        Path archive = directory.resolve("archive");
        CHAIN.writeTo(archive);
        byte[] proof = proof(new ResultCell(2, 0, ResultEvent.ACCEPTED, 0, 5, 0, 80));
        String clOrdId = Long.toUnsignedString(
                new BlockOrders().of(CHAIN.block(4), 2).get(0).fields().clOrdId());

        assertThat(verify(proof, "--archive", archive.toString())).isZero();
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("entry "))
                .singleElement()
                .asString()
                .startsWith("entry order block 4 batch 2 order 0 batchId ")
                .contains(" clOrdId " + clOrdId + " ");

        byte[] another = proof(new ResultCell(2, 3, ResultEvent.ACCEPTED, 0, 5, 0, 80));
        assertThat(verify(another, "--archive", archive.toString())).isZero();
        assertThat(out.toString().lines()).contains("entry is not in the archive");

        byte[] expiry =
                proof(new ResultCell(ResultCell.NO_BATCH, ResultCell.NO_ORDER, ResultEvent.EXPIRED, 0, 5, 0, 8));
        assertThat(verify(expiry, "--archive", archive.toString())).isZero();
        assertThat(out.toString().lines()).noneMatch(line -> line.startsWith("entry"));
    }

    @Test
    void shouldRefuseAnArchiveOfAnotherChain() throws IOException {
        Path archive = directory.resolve("archive");
        CertifiedChain other = new CertifiedChain(2);
        other.writeTo(archive);

        assertThat(verify(proof(ACCEPTED), "--archive", archive.toString())).isEqualTo(1);

        assertThat(out.toString().lines())
                .containsExactly(
                        "verdict refused",
                        "fact the archive has genesis digest "
                                + other.genesisFile().digest().hex() + ", the genesis file "
                                + CHAIN.genesisFile().digest().hex());
    }

    /** Anybody can make an archive on the genesis digest: this one lacks the first batch of block 4. */
    @Test
    void shouldPrintNoEntryOfAnotherHistory() throws IOException {
        Block block = CHAIN.block(4);
        BlockBuilder forged = new BlockBuilder()
                .begin(
                        4,
                        0,
                        block.header().blockTimeNs(),
                        Digest.ZERO,
                        block.header().previousHash());
        for (int i = 1; i < block.batchCount(); i++) {
            forged.add(
                    block.batchId(i),
                    block.header().blockTimeNs(),
                    block.array(),
                    block.batchOffset(i),
                    block.batchLength(i));
        }
        Path archive = archive(forged.build());

        assertThat(verify(proof(ACCEPTED), "--archive", archive.toString())).isEqualTo(1);

        assertThat(entries())
                .singleElement()
                .asString()
                .startsWith("entry not proven: block 4 of the archive has hash ");
    }

    /** Its hash is right: that does not cover the bytes of a batch but through its id. */
    @Test
    void shouldPrintNoEntryOfAnAlteredBatch() throws IOException {
        byte[] altered = CHAIN.block(4).bytes().clone();
        altered[CHAIN.block(4).batchOffset(2) + SignedBatch.ORDERS_OFFSET] ^= 1;

        assertThat(verify(proof(ACCEPTED), "--archive", archive(altered).toString()))
                .isEqualTo(1);

        assertThat(entries())
                .containsExactly("entry not proven: batch 2 of block 4 of the archive is not the one that its header"
                        + " names");
    }

    @Test
    void shouldProveAnEntryByALaterCertificate() throws IOException {
        Path archive = archive(CHAIN.block(4).bytes(), CHAIN.block(5).bytes());
        byte[] proof = proof(ACCEPTED, 6);

        assertThat(verify(proof, "--archive", archive.toString())).isZero();
        assertThat(entries()).containsExactly("entry not proven: the archive ends before block 6, which is certified");

        Path whole = directory.resolve("whole");
        CHAIN.writeTo(whole);
        assertThat(verify(proof, "--archive", whole.toString())).isZero();
        assertThat(entries()).singleElement().asString().startsWith("entry order block 4 batch 2 order 0 batchId ");
    }

    /** Returns an archive of blocks 1 to 3 of the chain and others. */
    private Path archive(byte[]... others) {
        Path path = directory.resolve("archive");
        try (BlockArchive archive = BlockArchive.open(path, CHAIN.config())) {
            for (int sequence = 1; sequence < 4; sequence++) {
                archive.append(CHAIN.block(sequence).bytes());
            }
            for (byte[] other : others) {
                archive.append(other);
            }
        }
        return path;
    }

    private List<String> entries() {
        return out.toString().lines().filter(line -> line.startsWith("entry ")).toList();
    }

    @Test
    void shouldRefuseAProofOfAnotherChainAndADamagedFile() throws IOException {
        byte[] proof = proof(new ResultCell(2, 3, ResultEvent.RESTING_FILL, 0, 5, 9, 50));
        Files.write(genesis, new CertifiedChain(2).genesisJson());
        assertThat(verify(proof)).isEqualTo(1);
        assertThat(out.toString().lines()).contains("verdict refused", "fault GENESIS");

        proof[60] ^= 1;
        assertThat(verify(proof)).isEqualTo(1);
        assertThat(out.toString()).contains("verdict refused", "damaged: CRC32C expected");
    }

    private int verify(byte[] proof, String... more) throws IOException {
        out.getBuffer().setLength(0);
        Path file = Files.write(directory.resolve("result.proof"), proof);
        PrintWriter writer = new PrintWriter(out, true);
        List<String> arguments =
                new ArrayList<>(List.of("verify-proof", file.toString(), "--genesis", genesis.toString()));
        arguments.addAll(List.of(more));
        return ArchiveTool.run(writer, writer, arguments.toArray(String[]::new));
    }

    private static byte[] proof(ResultCell result) {
        return proof(result, 4);
    }

    /** Returns the proof of a result of block 4, with the certificate of a later block without results. */
    private static byte[] proof(ResultCell result, int certified) {
        byte[] cells = new byte[ResultCell.LENGTH];
        result.write(cells, 0);
        byte[] digest = new byte[Digest.LENGTH];
        new ResultLink().apply(digest, 4, new ResultRoot(1, Digest.of(ResultLeaf.hash(1, 17, cells))));
        List<ResultRoot> laterRoots = new ArrayList<>();
        for (int sequence = 5; sequence <= certified; sequence++) {
            laterRoots.add(new ResultRoot(0, Digest.ZERO));
            new ResultLink().apply(digest, sequence, laterRoots.getLast());
        }
        return new ResultProof(
                        CHAIN.genesisFile().digest(),
                        4,
                        new ResultPlace(1, 17, 0, 0, 1),
                        cells,
                        List.of(),
                        Digest.ZERO,
                        laterRoots,
                        CHAIN.certificate(certified, Digest.of(digest), 0, 1, 3))
                .encode();
    }
}
