package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestReports;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Broker 1 bids as 21, replaces it by 22, is hit by broker 2, has a cancel of an unknown order refused, and cancels the
 * rest; the other orders of both brokers are none of its life. A bid 30 is in a block that no engine has executed.
 */
class TraceCommandTest {
    private static final long BID = 11;
    private static final long OFFER = 12;
    private static final long OTHER = 13;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeNode() {
        GenesisFile genesis = TestMarket.write(directory, List.of(1, 2, 3, 4));
        TestFlow flow = new TestFlow(1);
        Entry replace = new Entry(
                22, 21, 101, 1, Action.REPLACE, Side.BUY, OrdType.LIMIT, TimeInForce.GOOD_TILL_CANCEL, 51, 90);
        try (BlockArchive archive = BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS))) {
            append(
                    archive,
                    flow.batch(
                            1,
                            List.of(
                                    Entry.limit(20, 101, 2, Side.BUY, 9, 9),
                                    Entry.limit(21, 101, 1, Side.BUY, 50, 100))));
            append(archive, flow.batch(1, List.of(replace)));
            append(archive, flow.batch(2, List.of(Entry.limit(21, 201, 1, Side.SELL, 51, 60))));
            append(
                    archive,
                    flow.batch(
                            1,
                            List.of(Entry.cancel(23, 21, 101, 1, Side.BUY), Entry.cancel(24, 22, 101, 1, Side.BUY))));
            append(archive, flow.batch(1, List.of(Entry.limit(30, 101, 1, Side.BUY, 50, 1))));
        }
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            append(stores, 1, 1, report(1, 1, OTHER, 20).leavesQty(9));
            append(stores, 1, 2, report(1, 2, BID, 21).orderIndex(1).leavesQty(100));
            append(
                    stores,
                    1,
                    3,
                    report(2, 3, BID, 22)
                            .origClOrdId(21)
                            .execType(ExecType.REPLACED)
                            .price(51)
                            .quantity(90)
                            .leavesQty(90));
            append(stores, 2, 1, report(3, 4, OFFER, 21).quantity(60).leavesQty(60));
            append(stores, 2, 2, fill(report(3, 5, OFFER, 21), OrdStatus.FILLED, 60));
            append(stores, 1, 4, fill(report(3, 6, BID, 22), OrdStatus.PARTIALLY_FILLED, 90));
            append(
                    stores,
                    1,
                    5,
                    report(4, 7, 0, 23)
                            .origClOrdId(21)
                            .execType(ExecType.CANCEL_REJECT)
                            .ordStatus(OrdStatus.REJECTED)
                            .rejectReason(RejectReason.UNKNOWN_ORDER));
            append(
                    stores,
                    1,
                    6,
                    report(4, 8, BID, 24)
                            .orderIndex(1)
                            .origClOrdId(22)
                            .execType(ExecType.CANCELED)
                            .ordStatus(OrdStatus.CANCELED)
                            .cumQty(60));
            stores.endBlock();
            stores.flush(4);
        }
    }

    private static void append(BlockArchive archive, byte[] batch) {
        TestBooks.append(archive, archive.lastSequence() + 1, archive.lastHash(), batch);
    }

    private static ExecutionReportEncoder report(long block, long execId, long orderId, long clOrdId) {
        return TestBooks.report(block, execId, orderId, clOrdId).timeInForce(TimeInForce.GOOD_TILL_CANCEL);
    }

    private static ExecutionReportEncoder fill(ExecutionReportEncoder report, OrdStatus status, long quantity) {
        return report.execType(ExecType.TRADE)
                .ordStatus(status)
                .tradeId(1)
                .price(51)
                .quantity(quantity)
                .lastPx(51)
                .lastQty(60)
                .cumQty(60)
                .leavesQty(quantity - 60);
    }

    private static void append(ReportStores stores, int broker, long sequence, ExecutionReportEncoder report) {
        report.reportSequence(sequence)
                .brokerId(broker)
                .accountId(100L * broker + 1)
                .side(broker == 1 ? Side.BUY : Side.SELL);
        TestReports.append(stores, report.buffer().byteArray());
    }

    @Test
    void shouldPrintTheLifeOfAnOrderUnderItsFirstClOrdId() {
        assertThat(trace("--broker", "1", "--cl-ord-id", "21"))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("entry block 1 batch 0 order 1 batchId ")
                                .contains(" action NEW ", " clOrdId 21 ")
                                .doesNotContain("arrived")
                                .endsWith(" certifiedSequence none"),
                        line -> assertThat(line)
                                .startsWith("report block 1 ")
                                .contains(" reportSequence 2 execType NEW orderId 11 ")
                                .endsWith(" ordStatus NEW leavesQty 100 cumQty 0"),
                        line -> assertThat(line).startsWith("entry block 2 ").contains(" action REPLACE "),
                        line -> assertThat(line)
                                .startsWith("report block 2 ")
                                .contains(" execType REPLACED orderId 11 clOrdId 22 origClOrdId 21 price 51 "),
                        line -> assertThat(line)
                                .startsWith("report block 3 ")
                                .contains(" execType TRADE ", " tradeId 1 lastPx 51 lastQty 60 ")
                                .endsWith(" ordStatus PARTIALLY_FILLED leavesQty 30 cumQty 60"),
                        line -> assertThat(line).startsWith("entry block 4 ").contains(" clOrdId 23 "),
                        line -> assertThat(line)
                                .startsWith("report block 4 ")
                                .contains(" execType CANCEL_REJECT rejectReason UNKNOWN_ORDER "),
                        line -> assertThat(line).startsWith("entry block 4 ").contains(" clOrdId 24 "),
                        line -> assertThat(line)
                                .startsWith("report block 4 ")
                                .contains(" execType CANCELED orderId 11 clOrdId 24 origClOrdId 22 "),
                        line -> assertThat(line)
                                .isEqualTo("state orderId 11 is ENDED ordStatus CANCELED leavesQty 0 cumQty 60"
                                        + " since 4 searchedFrom 1 searchedTo 4"));
        assertThat(err.toString()).contains("reports of blocks 5..5 are not all filed yet");
    }

    /** An order that is open as of block 3 may have ended in a block that the engine has not executed. */
    @Test
    void shouldSearchNoFurtherThanTheReports() throws IOException {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            stores.truncateTo(3, new TreeMap<>(Map.of(1, 4L, 2, 2L)));
        }
        String state = "state orderId 11 is OPEN ordStatus PARTIALLY_FILLED leavesQty 30 cumQty 60 since 3"
                + " searchedFrom 1 searchedTo 3";

        assertThat(trace("--broker", "1", "--cl-ord-id", "22"))
                .filteredOn(line -> line.startsWith("state "))
                .containsExactly(state);
        assertThat(err.toString()).contains("reports of blocks 4..5 are not all filed yet");

        Files.deleteIfExists(directory.resolve("engine/reports/filed"));
        assertThat(trace("--broker", "1", "--cl-ord-id", "22"))
                .as("of an earlier build")
                .filteredOn(line -> line.startsWith("state "))
                .containsExactly(state);
    }

    @Test
    void shouldNameTheFirstReportIfEarlierOnesAreNotKept() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            assertThat(stores.pruneBefore(4, new TreeMap<>(Map.of(1, 6L)))).isOne();
        }

        assertThat(trace("--broker", "1", "--cl-ord-id", "22")).isNotEmpty();
        assertThat(err.toString()).contains("reports of broker 1 begin with 5, of block 4");
    }

    @Test
    void shouldPrintTheSameLifeUnderEachOfItsClOrdIds() {
        List<String> life = trace("--broker", "1", "--cl-ord-id", "21").stream()
                .filter(line -> !line.contains(" clOrdId 23 "))
                .toList();

        assertThat(trace("--broker", "1", "--cl-ord-id", "22")).isEqualTo(life);
        assertThat(trace("--broker", "1", "--cl-ord-id", "24")).isEqualTo(life);
    }

    @Test
    void shouldNameTheOtherSideOfATradeOnlyOnRequest() {
        assertThat(trace("--broker", "1", "--cl-ord-id", "22"))
                .noneMatch(line -> line.contains("counter") || line.contains("201"));

        assertThat(trace("--broker", "1", "--cl-ord-id", "22", "--counterparts"))
                .filteredOn(line -> line.contains("counter"))
                .singleElement()
                .asString()
                .contains(" execType TRADE ")
                .endsWith(" counterBroker 2 counterAccount 201 counterOrderId 12 counterClOrdId 21");
    }

    @Test
    void shouldPrintAnEntryThatNoEngineHasExecuted() {
        assertThat(trace("--broker", "1", "--cl-ord-id", "30"))
                .singleElement()
                .asString()
                .startsWith("entry block 5 batch 0 order 0 ");
    }

    /** Entry 30 of the same broker is the other side. */
    @Test
    void shouldNotTakeTheOtherSideOfATradeForAnEntryOfTheOrder() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            append(stores, 1, 7, fill(report(5, 9, OTHER, 20), OrdStatus.PARTIALLY_FILLED, 90));
            stores.endBlock();
            stores.flush(5);
        }

        assertThat(trace("--broker", "1", "--cl-ord-id", "20"))
                .anyMatch(line -> line.startsWith("report block 5 ") && line.contains(" execType TRADE "))
                .noneMatch(line -> line.contains(" clOrdId 30 "));
    }

    @Test
    void shouldReadTheArchiveWhereTheReportsDoNotReachBackToTheBegin() {
        assertThat(trace("--broker", "1", "--cl-ord-id", "22", "--from", "2"))
                .first()
                .asString()
                .startsWith("entry block 2 ");
        assertThat(trace("--broker", "1", "--cl-ord-id", "21", "--to", "3"))
                .last()
                .asString()
                .isEqualTo("state orderId 11 is OPEN ordStatus PARTIALLY_FILLED leavesQty 30 cumQty 60"
                        + " since 3 searchedFrom 1 searchedTo 3");
    }

    @Test
    void shouldPrintJson() {
        assertThat(trace("--broker", "1", "--cl-ord-id", "21", "--json"))
                .allMatch(line -> line.startsWith("{\"event\":\"") && line.endsWith("}"))
                .anySatisfy(line -> assertThat(line)
                        .contains("\"event\":\"report\",\"block\":3,")
                        .contains("\"tradeId\":\"1\",\"lastPx\":51,\"lastQty\":60,"));
    }

    @Test
    void shouldFailIfTheOrderIsNotHere() {
        assertThat(run("trace", directory.toString(), "--broker", "2", "--cl-ord-id", "22"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("no order of broker 2 with ClOrdID 22 in blocks 1..5");
        assertThat(run("trace", directory.toString(), "--broker", "-1", "--cl-ord-id", "22"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--broker is '-1'").doesNotContain("\tat ");
    }

    @Test
    void shouldNameADamagedFile() throws IOException {
        Path reports = directory.resolve("engine/reports/broker-1/00000000000000000001.reports");
        byte[] bytes = Files.readAllBytes(reports);
        bytes[0] ^= 1;
        Files.write(reports, bytes);

        assertThat(run("trace", directory.toString(), "--broker", "1", "--cl-ord-id", "21"))
                .isEqualTo(1);
        assertThat(err.toString()).contains(reports.toString()).doesNotContain("\tat ");
    }

    private List<String> trace(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "trace";
        arguments[1] = directory.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        assertThat(run(arguments)).as(err.toString()).isZero();
        return out.toString().lines().toList();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return BooksTool.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }
}
