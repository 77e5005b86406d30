package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.engine.ReleaseWatch;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.matching.chain.BoundConfiguration;
import io.sealbook.matching.chain.ChainTerms;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Proofs from the report files of an engine that has executed 40 blocks, certified at blocks 16 and 32. */
@Timeout(300)
class ResultProverTest {
    private static final int BLOCKS = CertifiedMarket.BLOCKS;
    private static final List<Integer> BROKERS = List.of(1, 2, 3, 4);
    /** Offsets and lengths in proofs. */
    private static final int GENESIS = 12;

    private static final int PLACE_IN_LEAF = 64;
    private static final int CRC = 4;

    @TempDir
    static Path directory;

    private static CertifiedMarket market;
    private static GenesisFile genesis;
    private static TestEngine engine;
    private static BlockArchive archive;
    private static SignatureVerifier signatures;
    private static ResultProofVerifier verifier;

    @BeforeAll
    static void execute() throws Exception {
        market = new CertifiedMarket(directory);
        genesis = market.genesis;
        engine = market.engine;
        archive = market.archive;
        signatures = SignatureProviders.named("bc");
        verifier = new ResultProofVerifier(genesis, signatures);
    }

    @AfterAll
    static void close() {
        signatures.close();
        market.close();
    }

    @Test
    void shouldProveTheResultsOfEveryBlock() {
        Set<ResultEvent> events = EnumSet.noneOf(ResultEvent.class);
        int proven = 0;
        for (long block = 1; block <= 32; block++) {
            List<byte[]> reports = search().ofBlock(block).toList();
            for (int i = 0; i < reports.size(); i += 1 + reports.size() / 3) {
                ReportFields report = ReportFields.of(reports.get(i));
                ResultProof proof = prover().prove(block, BLOCKS, report.brokerId(), report.reportSequence());

                ResultCell result = verify(proof).orElseThrow();
                assertThat(proof.place().brokerId()).isEqualTo(report.brokerId());
                assertThat(proof.place().reportSequence()).isEqualTo(report.reportSequence());
                assertThat(result.batchIndex()).isEqualTo(report.batchIndex());
                assertThat(result.orderIndex()).isEqualTo(report.orderIndex());
                assertThat(result.rejectReason()).isEqualTo(report.rejectReason());
                assertThat(result.order())
                        .isEqualTo(
                                result.event() == ResultEvent.INCOMING_FILL ? report.lastPxTicks() : report.orderId());
                events.add(result.event());
                proven++;
            }
        }
        assertThat(proven).isGreaterThan(60);
        assertThat(events).contains(ResultEvent.ACCEPTED, ResultEvent.INCOMING_FILL, ResultEvent.RESTING_FILL);
    }

    @Test
    void shouldLetThePageFollowProofsOfResults(@TempDir Path work) throws Exception {
        List<byte[]> proofs = new ArrayList<>();
        List<ReportFields> proven = new ArrayList<>();
        for (long block = 1; block <= 32; block++) {
            List<byte[]> reports = search().ofBlock(block).toList();
            for (int i = 0; i < reports.size(); i += 1 + reports.size() / 2) {
                ReportFields report = ReportFields.of(reports.get(i));
                proven.add(report);
                proofs.add(prover().prove(block, BLOCKS, report.brokerId(), report.reportSequence())
                        .encode());
            }
        }

        List<String> shown = new ProofScript(work).follow(proofs);

        for (int i = 0; i < proven.size(); i++) {
            ReportFields report = proven.get(i);
            assertThat(shown.get(i))
                    .contains("\"genesis\":\"" + genesis.digest().hex() + "\"")
                    .contains("\"block\":\"" + report.block() + "\"", "\"broker\":" + report.brokerId() + ",")
                    .contains("\"report\":\"" + report.reportSequence() + "\"")
                    .contains("\"batchIndex\":" + report.batchIndex() + ",")
                    .contains("\"certified\":\"" + (report.block() <= 16 ? 16 : 32) + "\"", "\"signers\":[0,1,2]");
        }
    }

    @Test
    void shouldLetThePageFollowProofsOfBatches(@TempDir Path work) throws Exception {
        List<byte[]> proofs = new ArrayList<>();
        for (int batch = 0; batch < 6; batch++) {
            proofs.add(new InclusionProver(archive).prove(3, batch, true).encode());
        }
        proofs.add(new InclusionProver(archive).prove(32, 0, true).encode());
        long first = new BlockOrders()
                .of(InclusionProof.decode(proofs.getFirst()).signedBatch())
                .getFirst()
                .clOrdId();

        List<String> shown = new ProofScript(work).follow(proofs);

        for (int batch = 0; batch < 6; batch++) {
            assertThat(shown.get(batch))
                    .contains("\"block\":\"3\",\"index\":" + batch + ",", "\"certified\":\"16\",\"signers\":[0,1,2]");
        }
        assertThat(shown.getFirst()).contains("\"orders\":[{\"clOrdId\":\"" + first + "\",");
        assertThat(shown.getLast()).contains("\"block\":\"32\"", "\"certified\":\"32\"");
    }

    /**
     * Every byte that a hash covers is changed. What nodes sign, signatures and the genesis digest are not the page's.
     */
    @Test
    void shouldLetThePageRefuseWhatWasChanged(@TempDir Path work) throws Exception {
        InclusionProof batch = new InclusionProver(archive).prove(14, 2, true);
        long report =
                ReportFields.of(search().ofBlock(14).findFirst().orElseThrow()).reportSequence();
        int broker =
                ReportFields.of(search().ofBlock(14).findFirst().orElseThrow()).brokerId();
        ResultProof result = prover().prove(14, BLOCKS, broker, report);
        byte[] bytes = batch.encode();
        int certificate = batch.certificate().encode().length;
        int ofBatch = bytes.length - CRC - batch.signedBatch().length;
        List<byte[]> changed = new ArrayList<>();
        change(bytes, 0, GENESIS, changed);
        change(bytes, GENESIS + Digest.LENGTH, ofBatch - Integer.BYTES - certificate, changed);
        change(bytes, ofBatch, bytes.length - CRC - SignedBatch.SIGNATURE_LENGTH, changed);
        bytes = result.encode();
        change(bytes, 0, GENESIS, changed);
        change(bytes, GENESIS + Digest.LENGTH, PLACE_IN_LEAF, changed);
        change(bytes, PLACE_IN_LEAF + Integer.BYTES, bytes.length - CRC - certificate, changed);

        List<String> shown = new ProofScript(work).follow(changed);

        assertThat(shown).hasSizeGreaterThan(1_000).allMatch(line -> line.startsWith("refused: "));
    }

    @Test
    void shouldProveTradesByTheirIncomingOrders() {
        Map<Long, List<ReportFields>> fills = new HashMap<>();
        for (long block = 1; block <= 32; block++) {
            for (byte[] report : search().ofBlock(block).toList()) {
                ReportFields fields = ReportFields.of(report);
                if (fields.tradeId() != 0) {
                    fills.computeIfAbsent(fields.tradeId(), id -> new ArrayList<>())
                            .add(fields);
                }
            }
        }
        assertThat(fills).hasSizeGreaterThan(100);
        for (long tradeId = 1; tradeId <= fills.size(); tradeId += 1 + fills.size() / 25) {
            ReportFields fill = search().incomingFill(tradeId).orElseThrow();
            ResultProof proof = prover().prove(fill.block(), BLOCKS, fill.brokerId(), fill.reportSequence());

            ResultCell result = verify(proof).orElseThrow();
            assertThat(result.event()).isEqualTo(ResultEvent.INCOMING_FILL);
            assertThat(result.tradeOrCumQty()).isEqualTo(tradeId);
            assertThat(fills.get(tradeId)).hasSize(2).startsWith(fill).allSatisfy(side -> {
                assertThat(side.lastPxTicks()).isEqualTo(result.order());
                assertThat(side.lastQtyLots()).isEqualTo(result.quantity());
            });
        }
    }

    @Test
    void shouldFindEveryAcceptedOrderByItsId() {
        int found = 0;
        for (long block = 1; block <= BLOCKS; block++) {
            for (byte[] report : search().ofBlock(block).toList()) {
                ReportFields fields = ReportFields.of(report);
                if (fields.execType() == '0') {
                    assertThat(search().accepted(fields.orderId())).hasValue(fields);
                    found++;
                }
            }
        }
        assertThat(found).isGreaterThan(1_000);
        assertThat(search().accepted(0)).isEmpty();
        assertThat(search().accepted(1_000_000)).isEmpty();
        assertThat(search().incomingFill(1_000_000)).isEmpty();
    }

    @Test
    void shouldNotProveWhatIsNotCertified() {
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .isThrownBy(() -> prover().prove(33, BLOCKS, 1, 1))
                .withMessageContaining("no certificate covers the results of block 33 yet");
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .as("certified, but this engine has not come to the certified block")
                .isThrownBy(() -> prover().prove(20, 31, 1, 1));
        assertThatExceptionOfType(ResultProver.NoProofException.class)
                .isThrownBy(() -> prover().prove(20, BLOCKS, 1, Long.MAX_VALUE))
                .withMessage("block 20 has no such result");
    }

    @Test
    void shouldHandOutNoProofThatDoesNotReachTheCertificate() {
        List<Integer> otherOrder = new ArrayList<>(BROKERS);
        Collections.reverse(otherOrder);
        assertThatExceptionOfType(OperatingFailureException.class)
                .isThrownBy(() ->
                        new ResultProver(archive, search(), otherOrder, engine.market.terms()).prove(5, BLOCKS, 1, 1))
                .withMessageContaining("reports of blocks 1..16 do not lead to the result digest");
    }

    /** A block may have a report for each live order. */
    @Test
    void shouldHoldNoReportsOfABlockWhoseTreeItComputes() {
        ReleaseWatch watch = new ReleaseWatch(2 * ResultLeaf.RUN_MAX);

        BlockResultTree tree = new BlockResultTree(
                search().ofBlock(CertifiedMarket.LARGE_BLOCK).peek(watch),
                engine.market.brokerIds(),
                engine.market.terms().boundBy(CertifiedMarket.LARGE_BLOCK));

        assertThat(watch.isPassed()).isTrue();
        assertThat(tree.root().leafCount()).isGreaterThan(2);
        assertThatExceptionOfType(OperatingFailureException.class)
                .isThrownBy(() -> tree.cells(0, search().run(2, 1)))
                .withMessageEndingWith("is not that of its block's result tree");
    }

    @Test
    void shouldEndAtItsLimit() {
        assertThatExceptionOfType(ReportSearch.SearchLimitException.class)
                .isThrownBy(() ->
                        new ReportSearch(engine.reports, 2_000).ofBlock(20).toList());
    }

    @Test
    void shouldHandOutNoProofUnderAnotherConfiguration() {
        ChainTerms others = ChainTerms.of(genesis.genesis());
        for (long block : new long[] {5, 11, 12, 19, 25}) {
            assertThatExceptionOfType(OperatingFailureException.class)
                    .isThrownBy(() -> new ResultProver(archive, search(), BROKERS, others).prove(block, BLOCKS, 1, 1));
        }
        assertThat(engine.market.terms().configurations())
                .extracting(BoundConfiguration::block)
                .containsExactly(11L, 19L);
    }

    private static void change(byte[] proof, int from, int to, List<byte[]> changed) {
        for (int at = from; at < to; at++) {
            byte[] copy = proof.clone();
            copy[at] ^= 1;
            changed.add(copy);
        }
    }

    private static Optional<ResultCell> verify(ResultProof proof) {
        return Optional.of(verifier.verify(ResultProof.decode(proof.encode())))
                .filter(ResultProven.class::isInstance)
                .map(verdict -> ((ResultProven) verdict).result());
    }

    private static ResultProver prover() {
        return market.prover();
    }

    private static ReportSearch search() {
        return market.search();
    }
}
