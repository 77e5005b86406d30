package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.tool.OrderText;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.history.ProofScript.Check;
import io.sealbook.engine.trace.LifeText;
import io.sealbook.engine.trace.OrderLife;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page refuses a proof that does not show what the row beside it says. */
@Timeout(300)
class ProofChecksTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int CERTIFIED = 32;

    @TempDir
    static Path directory;

    @TempDir
    Path work;

    private static CertifiedMarket market;
    private final List<Check> checks = new ArrayList<>();

    @BeforeAll
    static void execute() throws Exception {
        market = new CertifiedMarket(directory);
    }

    @AfterAll
    static void close() {
        market.close();
    }

    @Test
    void shouldTakeEveryRowThatIsAsTheProofShows() throws Exception {
        for (long block = 1; block <= CERTIFIED; block++) {
            List<byte[]> reports = market.search().ofBlock(block).toList();
            for (int i = 0; i < reports.size(); i += 1 + reports.size() / 12) {
                ReportFields report = ReportFields.of(reports.get(i));
                byte[] proof = proof(report);
                checks.add(new Check(proof, "checkReport", row(step(report), report)));
                entry(report)
                        .filter(entry -> entry.brokerId() == report.brokerId())
                        .ifPresent(entry -> addEntry(entry, report, proof));
                if (report.tradeId() != 0) {
                    checks.add(new Check(
                            tradeProof(report.tradeId()), "checkTrade", List.of(view(report), report.block())));
                }
            }
        }

        assertThat(checks).hasSizeGreaterThan(1_000);
        assertThat(new ProofScript(work).check(checks)).noneMatch(line -> line.startsWith("refused: "));
    }

    private void addEntry(ArchivedOrder entry, ReportFields report, byte[] proof) {
        checks.add(new Check(proof, "checkReportOfEntry", List.of(view(entry), view(report))));
        byte[] ofBatch = proof(entry);
        checks.add(new Check(ofBatch, "checkEntry", List.of(view(entry))));
        checks.add(new Check(ofBatch, "checkStep", List.of(OrderText.located(entry), entry.brokerId())));
    }

    /** JavaScript rounds numbers from 2^53 on. */
    @Test
    void shouldCompareLargeNumbersExactly() throws Exception {
        long quantity = (1L << 53) + 1;
        Entry large = Entry.limit(7, 100, 1, Side.BUY, 1 - (1L << 60), quantity);
        try (BlockArchive archive = BlockArchive.open(
                work.resolve("large"), new ArchiveConfig(market.genesis.digest(), 4, Durability.PROCESS))) {
            archive.append(TestNode.build(1, archive.lastHash(), new TestFlow(5).batch(1, List.of(large))));
            archive.putCertificate(new CheckpointCertificate(
                    1,
                    archive.lastHash(),
                    Digest.ZERO,
                    Digest.ZERO,
                    List.of(new CertificateSignature(0, new byte[CertificateSignature.LENGTH]))));
            ArchivedOrder entry = new BlockOrders()
                    .of(Block.wrap(archive.read(1).orElseThrow()), 0)
                    .getFirst();
            byte[] proof = new InclusionProver(archive).prove(1, 0, true).encode();
            checks.add(new Check(proof, "checkEntry", List.of(view(entry))));
            for (String name : List.of("price", "quantity")) {
                checks.add(new Check(proof, "checkEntry", List.of(with(view(entry), name, ProofChecksTest::more))));
            }
        }

        List<String> lines = new ProofScript(work).check(checks);

        assertThat(lines.getFirst()).contains("\"quantity\":\"" + quantity + "\"");
        assertThat(lines.subList(1, 3)).containsOnly("refused: the signed batch has another entry there");
    }

    @Test
    void shouldRefuseAnEntryThatSaysAnythingElse() throws Exception {
        ArchivedOrder entry = entries(3, 0).getFirst();
        byte[] proof = proof(entry);
        for (String name : List.of(
                "block", "batchIndex", "orderIndex", "brokerId", "price", "quantity", "accountId", "instrumentId")) {
            checks.add(new Check(proof, "checkEntry", List.of(with(view(entry), name, ProofChecksTest::more))));
        }
        for (String name : List.of("clOrdId", "origClOrdId")) {
            checks.add(new Check(proof, "checkEntry", List.of(with(view(entry), name, old -> "123456"))));
        }
        for (String name : List.of("action", "side", "ordType", "timeInForce")) {
            checks.add(new Check(proof, "checkEntry", List.of(with(view(entry), name, old -> "NONE"))));
        }

        assertThat(new ProofScript(work).check(checks)).hasSize(14).allMatch(line -> line.startsWith("refused: the "));
    }

    @Test
    void shouldRefuseAReportThatSaysAnythingElse() throws Exception {
        Map<String, ReportFields> samples = new HashMap<>();
        for (long block = 1; block <= CERTIFIED; block++) {
            market.search()
                    .ofBlock(block)
                    .map(ReportFields::of)
                    .forEach(report -> samples.put(
                            FixNames.execType(report.execType()) + (isIncoming(report) ? " incoming" : ""), report));
        }
        assertThat(samples).containsKeys("NEW", "TRADE", "TRADE incoming", "CANCELED", "REJECTED", "CANCEL_REJECT");
        samples.forEach((kind, report) -> {
            Stream<String> ofKind = switch (kind) {
                case "TRADE" -> Stream.of("tradeId", "lastQty", "orderId");
                case "TRADE incoming" -> Stream.of("tradeId", "lastQty", "lastPx");
                default -> Stream.of("orderId", "cumQty", "leavesQty");
            };
            Stream.concat(Stream.of("reportSequence"), ofKind)
                    .forEach(name -> addReport(report, name, ProofChecksTest::more));
            addReport(report, "execType", old -> "REPLACED");
            addReport(report, "rejectReason", old -> "TOO_LATE");
            addReport(report, "tradeId", old -> old == null ? 1 : null);
            checks.add(new Check(proof(report), "checkReport", List.of(view(report), 99, report.block())));
            checks.add(new Check(
                    proof(report), "checkReport", List.of(view(report), report.brokerId(), report.block() + 1)));
        });
        ReportFields report = samples.get("NEW");
        for (String name : List.of("batchIndex", "orderIndex")) {
            checks.add(new Check(
                    proof(report),
                    "checkReportOfEntry",
                    List.of(with(view(entry(report).orElseThrow()), name, ProofChecksTest::more), view(report))));
        }

        assertThat(new ProofScript(work).check(checks))
                .hasSizeGreaterThan(50)
                .allMatch(line -> line.startsWith("refused: the "));
    }

    private void addReport(ReportFields report, String name, Function<Object, Object> change) {
        checks.add(new Check(proof(report), "checkReport", row(with(view(report), name, change), report)));
    }

    /** Both sides of a trade have one proof, and each row takes that of its trade alone. */
    @Test
    void shouldRefuseTheProofOfAnotherTrade() throws Exception {
        for (long tradeId = 1; tradeId <= 5; tradeId++) {
            ReportFields other = market.search().incomingFill(tradeId + 1).orElseThrow();
            checks.add(new Check(tradeProof(tradeId), "checkTrade", List.of(view(other), other.block())));
            ReportFields own = market.search().incomingFill(tradeId).orElseThrow();
            checks.add(new Check(tradeProof(tradeId), "checkTrade", List.of(view(own), own.block() + 1)));
            for (String name : List.of("lastPx", "lastQty")) {
                Map<String, Object> row = with(view(own), name, ProofChecksTest::more);
                checks.add(new Check(tradeProof(tradeId), "checkTrade", List.of(row, own.block())));
            }
        }

        assertThat(new ProofScript(work).check(checks))
                .hasSize(20)
                .containsOnly("refused: the proof is of another trade");
    }

    @Test
    void shouldNameCodesAsTheSchemaDoes() throws Exception {
        JsonNode names =
                new ProofScript(work).constants("REJECT_REASONS", "ACTIONS", "SIDES", "ORD_TYPES", "TIMES_IN_FORCE");

        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NULL_VAL) {
                assertThat(names.path("REJECT_REASONS").path(reason.value()).asString())
                        .isEqualTo(reason.name());
            }
        }
        assertNames(names.path("ACTIONS"), Action.values(), Action::value, Action.NULL_VAL);
        assertNames(names.path("SIDES"), Side.values(), Side::value, Side.NULL_VAL);
        assertNames(names.path("ORD_TYPES"), OrdType.values(), OrdType::value, OrdType.NULL_VAL);
        assertNames(names.path("TIMES_IN_FORCE"), TimeInForce.values(), TimeInForce::value, TimeInForce.NULL_VAL);
    }

    private static <E extends Enum<E>> void assertNames(JsonNode names, E[] values, Function<E, Byte> code, E none) {
        for (E value : values) {
            if (value != none) {
                assertThat(names.path(String.valueOf((char) (byte) code.apply(value)))
                                .asString())
                        .isEqualTo(value.name());
            }
        }
    }

    private static Object more(Object number) {
        return ((Number) number).longValue() + 1;
    }

    private static boolean isIncoming(ReportFields report) {
        return report.tradeId() != 0
                && market.search().incomingFill(report.tradeId()).orElseThrow().equals(report);
    }

    private static byte[] tradeProof(long tradeId) {
        return proof(market.search().incomingFill(tradeId).orElseThrow());
    }

    private static byte[] proof(ReportFields report) {
        return market.prover()
                .prove(report.block(), CertifiedMarket.BLOCKS, report.brokerId(), report.reportSequence())
                .encode();
    }

    private static byte[] proof(ArchivedOrder entry) {
        OrderPlace place = entry.place();
        return new InclusionProver(market.archive)
                .prove(place.sequence(), place.batchIndex(), true)
                .encode();
    }

    /** Returns the entry that caused a report; empty if none did. */
    private static Optional<ArchivedOrder> entry(ReportFields report) {
        return report.orderIndex() == 0xFFFF
                ? Optional.empty()
                : Optional.of(entries(report.block(), (int) report.batchIndex()).get(report.orderIndex()));
    }

    private static List<ArchivedOrder> entries(long block, int batch) {
        return new BlockOrders().of(Block.wrap(market.archive.read(block).orElseThrow()), batch);
    }

    private static Map<String, Object> step(ReportFields report) {
        OrderLife life =
                new OrderLife(List.of(new OrderLife.ReportedResult(report, Optional.empty())), 1, CERTIFIED, false);
        return new LinkedHashMap<>(LifeText.facts(life).getFirst());
    }

    private static List<Object> row(Map<String, Object> report, ReportFields of) {
        return List.of(report, of.brokerId(), of.block());
    }

    private static Map<String, Object> view(ReportFields report) {
        return map(EntryReportView.of(report));
    }

    private static Map<String, Object> view(ArchivedOrder entry) {
        return map(ArchivedOrderView.of(entry, List.of()));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object view) {
        return JSON.convertValue(view, LinkedHashMap.class);
    }

    private static Map<String, Object> with(Map<String, Object> row, String name, Function<Object, Object> change) {
        Map<String, Object> changed = new LinkedHashMap<>(row);
        changed.put(name, change.apply(row.get(name)));
        return changed;
    }
}
