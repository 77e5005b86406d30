package io.sealbook.archive.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.proof.CertifiedChain;
import io.sealbook.archive.result.PackedResults;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.TradeFields;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLeaf.Kind;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultRoot;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code verify-proof} of a report and of a trade, each the only leaf of block 4, which is certified. */
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
    void shouldPrintAProvenReportInFixTerms() throws IOException {
        assertThat(verify(proof(Kind.REPORT, fill()))).isZero();

        assertThat(out.toString().lines())
                .containsExactly(
                        "verdict proven",
                        "kind EXECUTION_REPORT",
                        "block 4",
                        "batch 2",
                        "order 3",
                        "broker 1",
                        "reportSequence 17",
                        "orderId 5",
                        "execId 30",
                        "clOrdId 18446744073709551615",
                        "execType TRADE",
                        "ordStatus PARTIALLY_FILLED",
                        "side SELL",
                        "price 100",
                        "quantity 80",
                        "tradeId 9",
                        "lastPx 101",
                        "lastQty 50",
                        "leavesQty 30",
                        "cumQty 50",
                        "account 7",
                        "instrument 11",
                        "transactTime 1970-01-01T00:00:04Z",
                        "certifiedSequence 4",
                        "signers [0, 1, 3]",
                        "quorum 3");
    }

    @Test
    void shouldPrintBothSidesOfAProvenTrade() throws IOException {
        assertThat(verify(proof(Kind.TRADE, trade()))).isZero();

        assertThat(out.toString().lines())
                .contains(
                        "kind TRADE",
                        "tradeId 9",
                        "price 101",
                        "quantity 50",
                        "aggressorSide BUY",
                        "buy broker 1 account 3 orderId 5 clOrdId 71",
                        "sell broker 2 account 4 orderId 6 clOrdId 72");
    }

    @Test
    void shouldRefuseAProofOfAnotherChainAndADamagedFile() throws IOException {
        byte[] proof = proof(Kind.REPORT, fill());
        Files.write(genesis, new CertifiedChain(2).genesisJson());
        assertThat(verify(proof)).isEqualTo(1);
        assertThat(out.toString().lines()).contains("verdict refused", "fault GENESIS");

        proof[60] ^= 1;
        assertThat(verify(proof)).isEqualTo(1);
        assertThat(out.toString()).contains("verdict refused", "damaged: CRC32C expected");
    }

    private int verify(byte[] proof) throws IOException {
        out.getBuffer().setLength(0);
        Path file = Files.write(directory.resolve("result.proof"), proof);
        PrintWriter writer = new PrintWriter(out, true);
        return ArchiveTool.run(writer, writer, "verify-proof", file.toString(), "--genesis", genesis.toString());
    }

    private static byte[] proof(Kind kind, byte[] message) {
        byte[] packed = PackedResults.pack(kind, List.of(message));
        byte[] digest = new byte[Digest.LENGTH];
        new ResultLink().apply(digest, 4, new ResultRoot(1, Digest.of(ResultLeaf.hash(kind, packed))));
        return new ResultProof(
                        CHAIN.genesisFile().digest(),
                        4,
                        new ResultPlace(kind, 0, 0, 1),
                        packed,
                        List.of(),
                        Digest.ZERO,
                        List.of(),
                        CHAIN.certificate(4, Digest.of(digest), 0, 1, 3))
                .encode();
    }

    private static byte[] fill() {
        byte[] message = new byte[ReportFields.MESSAGE_LENGTH];
        ByteBuffer.wrap(message)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(8, 17)
                .putLong(16, 4)
                .putLong(24, 5)
                .putLong(32, 30)
                .putLong(40, 9)
                .putLong(48, -1)
                .putLong(64, 100)
                .putLong(72, 80)
                .putLong(80, 101)
                .putLong(88, 50)
                .putLong(96, 30)
                .putLong(104, 50)
                .putLong(120, 4_000_000_000L)
                .putInt(128, 1)
                .putInt(132, 7)
                .putInt(136, 11)
                .putInt(140, 2)
                .putShort(144, (short) 3)
                .put(147, (byte) '2')
                .put(150, (byte) 'F')
                .put(151, (byte) '1');
        return message;
    }

    private static byte[] trade() {
        byte[] message = new byte[TradeFields.MESSAGE_LENGTH];
        ByteBuffer.wrap(message)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(8, 9)
                .putLong(16, 4)
                .putLong(24, 5)
                .putLong(32, 6)
                .putLong(40, 71)
                .putLong(48, 72)
                .putLong(56, 101)
                .putLong(64, 50)
                .putInt(84, 1)
                .putInt(88, 2)
                .putInt(92, 3)
                .putInt(96, 4)
                .put(100, (byte) '1');
        return message;
    }
}
