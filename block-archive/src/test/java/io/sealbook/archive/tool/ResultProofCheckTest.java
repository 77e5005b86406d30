package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.vocabulary.Digest;
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
        byte[] cells = new byte[ResultCell.LENGTH];
        result.write(cells, 0);
        byte[] digest = new byte[Digest.LENGTH];
        new ResultLink().apply(digest, 4, new ResultRoot(1, Digest.of(ResultLeaf.hash(1, 17, cells))));
        return new ResultProof(
                        CHAIN.genesisFile().digest(),
                        4,
                        new ResultPlace(1, 17, 0, 0, 1),
                        cells,
                        List.of(),
                        Digest.ZERO,
                        List.of(),
                        CHAIN.certificate(4, Digest.of(digest), 0, 1, 3))
                .encode();
    }
}
