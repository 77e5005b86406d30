package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.position.PositionVerdict;
import io.sealbook.archive.position.PositionVerdict.AccountPosition;
import io.sealbook.archive.position.PositionVerdict.PositionsProven;
import io.sealbook.archive.position.PositionVerdict.PositionsRefused;
import io.sealbook.archive.position.PositionVerifier;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.proof.ProofVerifier;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.tool.ArchiveTool;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.http.LargeAnswers;
import io.sealbook.engine.http.RequestCallers;
import io.sealbook.engine.ledger.BrokerLedger;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.protocol.GenesisFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Positions that the ledger of an engine has, proven with the genesis file alone. */
@Timeout(300)
class PositionProofTest {
    private static final int BROKER = 1;
    private static final int CERTIFIED = 32;
    private static final int BYTES_MAX = 64 << 20;

    @TempDir
    static Path directory;

    private static CertifiedMarket market;
    private static SignatureVerifier signatures;
    private static PositionVerifier verifier;

    @BeforeAll
    static void execute() throws Exception {
        market = new CertifiedMarket(directory);
        signatures = SignatureProviders.named("bc");
        verifier = verifier(market.genesis);
    }

    @AfterAll
    static void close() {
        signatures.close();
        market.close();
    }

    private static PositionVerifier verifier(GenesisFile genesis) {
        return new PositionVerifier(
                new ResultProofVerifier(genesis, signatures), new ProofVerifier(genesis, signatures));
    }

    @Test
    void shouldProveThePositionsOfEachBrokerAsOfEachBlock() {
        int proven = 0;
        for (int broker = 1; broker <= 4; broker++) {
            for (long block = 6; block < CERTIFIED; block += 5) {
                PositionProof proof = prove(broker, block);
                PositionsProven verdict = (PositionsProven) verify(proof);

                assertThat(verdict.block()).isLessThanOrEqualTo(block);
                assertThat(verdict.positions()).isEqualTo(ledger(broker, block, proof.reportSequence()));
                assertThat(verdict.nextBlock().orElse(Long.MAX_VALUE)).isGreaterThan(block);
                proven += verdict.positions().size();
            }
        }
        assertThat(proven).isGreaterThan(50);
    }

    @Test
    void shouldProveTheNewestCertifiedPositions() {
        PositionProof proof = prove(BROKER, Long.MAX_VALUE);
        PositionsProven verdict = (PositionsProven) verify(proof);

        assertThat(verdict.nextBlock()).isEqualTo(OptionalLong.empty());
        assertThat(verdict.positions()).isEqualTo(ledger(BROKER, CERTIFIED, proof.reportSequence()));
        assertThat(verdict.positions()).allMatch(position -> position.accountId() / 100 == BROKER);
    }

    @Test
    void shouldRefuseAProofThatLeavesResultsOut() {
        PositionProof proof = prove(BROKER, 12);
        int leaves = proof.results().size();
        assertThat(leaves).isGreaterThan(4);
        for (int leaf = 0; leaf < leaves - 1; leaf++) {
            List<ResultProof> fewer = new ArrayList<>(proof.results());
            fewer.remove(leaf);
            assertRefused(
                    new PositionProof(BROKER, proof.reportSequence(), fewer, proof.batches()), "results from report ");
        }
        List<ResultProof> twice = new ArrayList<>(proof.results());
        twice.add(1, twice.get(0));
        assertRefused(
                new PositionProof(BROKER, proof.reportSequence(), twice, proof.batches()), "results from report 1,");
        PositionProof newest = prove(BROKER, Long.MAX_VALUE);
        assertRefused(
                new PositionProof(BROKER, newest.reportSequence() + 1, newest.results(), newest.batches()),
                "results end before report " + (newest.reportSequence() + 1));
        assertRefused(new PositionProof(2, proof.reportSequence(), proof.results(), proof.batches()), "of the broker");
        assertRefused(new PositionProof(2, proof.reportSequence(), proof.results(), List.of()), "results of broker 1");
    }

    @Test
    void shouldRefuseAProofThatLeavesAFilledOrderOut() {
        PositionProof proof = prove(BROKER, 12);
        assertThat(proof.batches().size()).isGreaterThan(4);
        for (int batch = 0; batch < proof.batches().size(); batch++) {
            List<InclusionProof> fewer = new ArrayList<>(proof.batches());
            fewer.remove(batch);
            assertRefused(
                    new PositionProof(BROKER, proof.reportSequence(), proof.results(), fewer),
                    "an order was filled whose entry is not carried");
        }
    }

    @Test
    void shouldRefuseResultsThatWereChanged() {
        PositionProof proof = prove(BROKER, 12);
        ResultProof first = proof.results().get(0);
        byte[] cells = first.cells().clone();
        cells[24] ^= 1;
        ResultProof forged = new ResultProof(
                first.genesisDigest(),
                first.sequence(),
                first.place(),
                cells,
                first.merklePath(),
                first.digestBefore(),
                first.laterRoots(),
                first.certificate());
        List<ResultProof> results = new ArrayList<>(proof.results());
        results.set(0, forged);
        assertRefused(
                new PositionProof(BROKER, proof.reportSequence(), results, proof.batches()), "results from report 1: ");
    }

    /** The first leaf of another broker's, or a batch of another broker in place of the entry. */
    @Test
    void shouldRefuseABatchOfAnotherBroker() {
        PositionProof proof = prove(BROKER, 12);
        List<InclusionProof> more = new ArrayList<>(proof.batches());
        more.addAll(prove(2, 12).batches());
        assertRefused(
                new PositionProof(BROKER, proof.reportSequence(), proof.results(), more),
                "has no orders of the broker");
    }

    @Test
    void shouldSurviveItsFileAndBePrintedByTheTool() throws Exception {
        PositionProof proof = prove(BROKER, 12);
        byte[] bytes = proof.encode();
        Path file = Files.write(directory.resolve("positions.proof"), bytes);
        assertThat(PositionProof.decode(bytes)).isEqualTo(proof);
        AccountPosition position = ledger(BROKER, 12, proof.reportSequence()).getFirst();

        List<String> lines = tool("verify-proof", file.toString(), "--genesis", genesis());

        assertThat(lines)
                .contains("verdict proven", "broker 1", "reports 1.." + proof.reportSequence(), "through 12")
                .contains("position account " + position.accountId() + " instrument " + position.instrumentId()
                        + " net " + position.position().netQuantity()
                        + " bought " + position.position().boughtQuantity()
                        + " boughtValue " + position.position().boughtValue()
                        + " sold " + position.position().soldQuantity()
                        + " soldValue " + position.position().soldValue());
        bytes[bytes.length - 100] ^= 1;
        Files.write(file, bytes);
        assertThat(tool("verify-proof", file.toString(), "--genesis", genesis()))
                .contains("verdict refused")
                .anyMatch(line -> line.startsWith("fact position proof: damaged: CRC32C"));
    }

    @Test
    void shouldAnswerWithTheFileOfTheProof() throws Exception {
        EngineProperties properties = new EngineProperties(1, null, null, new EngineProperties.History(1L << 30));
        BlockHistory blocks =
                new BlockHistory(directory.resolve("certified"), properties.history(), () -> "the auditor", 0);
        ResultHistory results = new ResultHistory(blocks, market.engine.reports, market.engine.market, properties);
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setAttribute(RequestCallers.class.getName(), "the auditor");
        MockHttpServletResponse response = new MockHttpServletResponse();
        Path answers = Files.createDirectory(directory.resolve("answers"));

        new ResultController(results, new LargeAnswers(answers)).positionProof("1", 12, request, response);

        assertThat(response.getContentType()).isEqualTo("application/octet-stream");
        assertThat(answers).as("the file of the answer is gone").isEmptyDirectory();
        assertThat(PositionProof.decode(response.getContentAsByteArray())).isEqualTo(prove(BROKER, 12));
    }

    @Test
    void shouldHandOutNoProofOfWhatIsNotCertified() {
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .isThrownBy(() -> prove(9, 12))
                .withMessage("broker 9 has no reports, or the first are no longer kept");
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .isThrownBy(() -> prover().prove(BROKER, Long.MAX_VALUE, 15))
                .withMessageStartingWith("no certified result of broker 1");
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .isThrownBy(() -> new PositionProver(
                                market.search(), market.prover(), new InclusionProver(market.archive), 20_000)
                        .prove(BROKER, 12, CertifiedMarket.BLOCKS))
                .withMessageContaining("has more than 20000 bytes");
    }

    private static String genesis() {
        return directory.resolve("node").resolve("genesis.json").toString();
    }

    private static List<String> tool(String... arguments) {
        StringWriter out = new StringWriter();
        ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(out, true), arguments);
        return out.toString().lines().toList();
    }

    private static void assertRefused(PositionProof proof, String fact) {
        PositionVerdict verdict = verify(proof);
        assertThat(verdict).isInstanceOf(PositionsRefused.class);
        assertThat(((PositionsRefused) verdict).fact()).contains(fact);
    }

    private static PositionVerdict verify(PositionProof proof) {
        return verifier.verify(PositionProof.decode(proof.encode()));
    }

    private static PositionProof prove(int broker, long block) {
        return prover().prove(broker, block, CertifiedMarket.BLOCKS);
    }

    private static PositionProver prover() {
        return new PositionProver(market.search(), market.prover(), new InclusionProver(market.archive), BYTES_MAX);
    }

    private static List<AccountPosition> ledger(int broker, long block, long reportSequence) {
        BrokerLedger ledger =
                new BrokerLedger(market.engine.reports.of(broker).orElseThrow(), new LedgerRoom(() -> Long.MAX_VALUE));
        ledger.advance(block);
        assertThat(ledger.reportSequence()).isEqualTo(reportSequence);
        List<AccountPosition> positions = new ArrayList<>();
        for (int account = 100 * broker; account < 100 * broker + 100; account++) {
            int accountId = account;
            ledger.positions(account)
                    .forEach((instrument, position) ->
                            positions.add(new AccountPosition(accountId, instrument, position)));
        }
        return positions;
    }
}
