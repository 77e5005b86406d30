package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestReports;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two blocks of two brokers: broker 1 bids 100 lots and is hit by broker 2 with 60, then cancels the rest; broker 2 has
 * one refusal.
 */
class BooksToolTest {
    private static final long BID = 11;
    private static final long OFFER = 12;
    /** Above 2^63: ids that brokers choose are unsigned. */
    private static final long BID_CL_ORD_ID = -2;

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeNode() {
        GenesisFile genesis = TestMarket.write(directory, List.of(1, 2, 3, 4));
        TestFlow flow = new TestFlow(1);
        try (BlockArchive archive = BlockArchive.open(
                directory.resolve("archive"), new ArchiveConfig(genesis.digest(), 16, Durability.PROCESS))) {
            Digest hash = genesis.digest();
            hash = append(
                    archive,
                    1,
                    hash,
                    flow.batch(1, List.of(Entry.limit(BID_CL_ORD_ID, 101, 1, Side.BUY, 50, 100))),
                    flow.batch(
                            2,
                            List.of(
                                    Entry.limit(7, 201, 1, Side.SELL, 50, 60),
                                    Entry.limit(7, 201, 1, Side.SELL, 50, 60))));
            append(archive, 2, hash, flow.batch(1, List.of(Entry.cancel(3, BID_CL_ORD_ID, 101, 1, Side.BUY))));
        }
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            append(stores, 1, 1, report(1, 1, BID, BID_CL_ORD_ID).side(Side.BUY).leavesQty(100));
            append(
                    stores,
                    2,
                    1,
                    report(1, 2, OFFER, 7).side(Side.SELL).quantity(60).leavesQty(60));
            append(stores, 1, 2, fill(report(1, 3, BID, BID_CL_ORD_ID), Side.BUY, 40));
            append(
                    stores,
                    2,
                    2,
                    fill(report(1, 4, OFFER, 7), Side.SELL, 0)
                            .ordStatus(OrdStatus.FILLED)
                            .quantity(60));
            append(
                    stores,
                    2,
                    3,
                    report(1, 5, 0, 7)
                            .execType(ExecType.REJECTED)
                            .rejectReason(RejectReason.DUPLICATE_CL_ORD_ID)
                            .side(Side.SELL));
            append(
                    stores,
                    1,
                    3,
                    report(2, 6, BID, 3)
                            .origClOrdId(BID_CL_ORD_ID)
                            .execType(ExecType.CANCELED)
                            .ordStatus(OrdStatus.CANCELED)
                            .side(Side.BUY)
                            .cumQty(60));
            stores.endBlock();
            stores.flush(2);
        }
    }

    private static Digest append(BlockArchive archive, long sequence, Digest previous, byte[]... batches) {
        BlockBuilder builder = new BlockBuilder().begin(sequence, 0, 1_000 * sequence, Digest.ZERO, previous);
        for (byte[] batch : batches) {
            builder.add(BatchId.of(batch), 5, batch, 0, batch.length);
        }
        byte[] block = builder.build();
        archive.append(block);
        return Block.wrap(block).hash();
    }

    private static ExecutionReportEncoder report(long block, long execId, long orderId, long clOrdId) {
        return new ExecutionReportEncoder()
                .wrapAndApplyHeader(
                        new UnsafeBuffer(new byte[ReportStore.RECORD_LENGTH]), 0, new MessageHeaderEncoder())
                .blockSequence(block)
                .transactTimeNs(1_000 * block)
                .execId(execId)
                .orderId(orderId)
                .clOrdId(clOrdId)
                .instrumentId(1)
                .price(50)
                .quantity(100)
                .execType(ExecType.NEW)
                .ordStatus(OrdStatus.NEW)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY);
    }

    private static ExecutionReportEncoder fill(ExecutionReportEncoder report, Side side, long leaves) {
        return report.execType(ExecType.TRADE)
                .ordStatus(OrdStatus.PARTIALLY_FILLED)
                .side(side)
                .tradeId(1)
                .lastPx(50)
                .lastQty(60)
                .cumQty(60)
                .cumValue(3_000)
                .leavesQty(leaves);
    }

    private static void append(ReportStores stores, int broker, long sequence, ExecutionReportEncoder report) {
        report.reportSequence(sequence).brokerId(broker).accountId(100L * broker + 1);
        TestReports.append(stores, report.buffer().byteArray());
    }

    /** Its report has no order: the orders that it cancels have reports of their own. */
    @Test
    void shouldShowNoOrderOfAMassCancel() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            append(stores, 1, 4, report(2, 7, 0, 9).execType(ExecType.MASS_CANCEL_REPORT));
            stores.endBlock();
            stores.flush(2);
        }

        assertThat(sql("SELECT exec_type FROM reports")).contains("MASS_CANCEL_REPORT");
        assertThat(sql("SELECT order_id FROM orders ORDER BY order_id")).containsExactly("order_id", "11", "12");
    }

    @Test
    void shouldAnswerFromTheArchive() {
        assertThat(sql("SELECT block, time_ns, batches FROM blocks"))
                .containsExactly("block\ttime_ns\tbatches", "1\t1000\t2", "2\t2000\t1");
        assertThat(sql("SELECT * FROM batches").getFirst())
                .as("no node keeps the time of receipt")
                .endsWith("\tsent_time_ns");
        assertThat(sql("SELECT block, batch, broker_id, orders FROM batches WHERE block = 1"))
                .containsExactly("block\tbatch\tbroker_id\torders", "1\t0\t1\t1", "1\t1\t2\t2");
        assertThat(sql("SELECT cl_ord_id, orig_cl_ord_id, action, side, price FROM entries"))
                .containsExactly(
                        "cl_ord_id\torig_cl_ord_id\taction\tside\tprice",
                        "18446744073709551614\t\tNEW\tBUY\t50",
                        "7\t\tNEW\tSELL\t50",
                        "7\t\tNEW\tSELL\t50",
                        "3\t18446744073709551614\tCANCEL\tBUY\t0");
    }

    @Test
    void shouldAnswerFromTheReports() {
        assertThat(sql("SELECT trade_id, price, quantity, buy_broker_id, sell_broker_id FROM trades"))
                .containsExactly("trade_id\tprice\tquantity\tbuy_broker_id\tsell_broker_id", "1\t50\t60\t1\t2");
        assertThat(sql("SELECT order_id, cl_ord_id, ord_status, cum_qty FROM orders ORDER BY 1"))
                .containsExactly(
                        "order_id\tcl_ord_id\tord_status\tcum_qty",
                        "11\t18446744073709551614\tCANCELED\t60",
                        "12\t7\tFILLED\t60");
        assertThat(sql("FROM positions ORDER BY account_id"))
                .containsExactly(
                        "account_id\tinstrument_id\tbought_qty\tbought_value\tsold_qty\tsold_value",
                        "101\t1\t60\t3000\t0\t0",
                        "201\t1\t0\t0\t60\t3000");
        assertThat(sql("SELECT broker_id, cl_ord_id, reject_reason FROM refusals"))
                .containsExactly("broker_id\tcl_ord_id\treject_reason", "2\t7\tDUPLICATE_CL_ORD_ID");
    }

    /** The genesis file admits such fills. */
    @Test
    void shouldKeepAPositionAtTheLargestQuantity() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            long quantity = Long.MAX_VALUE - 1;
            append(stores, 1, 4, largeFill(report(2, 7, 13, 8), Side.BUY, quantity));
            append(stores, 2, 4, largeFill(report(2, 8, 14, 8), Side.SELL, quantity));
            stores.endBlock();
            stores.flush(2);
        }

        assertThat(sql("FROM positions ORDER BY account_id"))
                .containsExactly(
                        "account_id\tinstrument_id\tbought_qty\tbought_value\tsold_qty\tsold_value",
                        "101\t1\t9223372036854775807\t9223372036854778806\t0\t0",
                        "201\t1\t0\t0\t9223372036854775807\t9223372036854778806");
    }

    private static ExecutionReportEncoder largeFill(ExecutionReportEncoder report, Side side, long quantity) {
        return fill(report, side, 0)
                .tradeId(2)
                .price(1)
                .lastPx(1)
                .lastQty(quantity)
                .cumQty(quantity)
                .cumValue(quantity)
                .quantity(quantity)
                .ordStatus(OrdStatus.FILLED);
    }

    @Test
    void shouldReadOnlyTheBlocksOfARange() {
        assertThat(sql("SELECT count(*) FROM reports(to_block := 1)")).contains("5");
        assertThat(sql("SELECT count(*) FROM reports(from_block := 2)")).contains("1");
        assertThat(sql("SELECT count(*) FROM entries(from_block := 2, to_block := 2)"))
                .contains("1");
        assertThat(sql("SELECT count(*) FROM trades(from_block := 2)")).contains("0");
        assertThat(sql("SELECT count(*) FROM blocks(from_block := 3)")).contains("0");
    }

    @Test
    void shouldExportParquetThatCanBeReadAgain() throws IOException {
        Path files = directory.resolve("it's out");

        assertThat(run("export", directory.toString(), "--out", files.toString()))
                .isZero();

        try (Stream<Path> found = Files.list(files)) {
            assertThat(found.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "blocks.parquet",
                            "batches.parquet",
                            "entries.parquet",
                            "changes.parquet",
                            "reports.parquet",
                            "trades.parquet");
        }
        assertThat(sql("SELECT count(*), max(cl_ord_id) FROM '"
                        + files.resolve("reports.parquet").toString().replace("'", "''") + "'"))
                .contains("6\t18446744073709551614");
        assertThat(run("export", directory.toString(), "--out", files.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("blocks.parquet exists");
    }

    @Test
    void shouldChangeNoFileOfTheNode() throws IOException {
        List<String> before = contents();

        sql("SELECT count(*) FROM trades");
        sql("SELECT count(*) FROM batches");

        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void shouldNameWhatFailed() throws IOException {
        assertThat(run("sql", directory.toString(), "SELECT nothing FROM blocks"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("nothing").doesNotContain("\tat ");
        assertThat(run("sql", directory.resolve("absent").toString(), "SELECT 1"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("no genesis.json");
        assertThat(run("sql", directory.toString(), "SELECT 1", "--threads", "0"))
                .isEqualTo(2);

        Path reports = directory.resolve("engine/reports/broker-1/00000000000000000001.reports");
        byte[] bytes = Files.readAllBytes(reports);
        bytes[0] ^= 1;
        Files.write(reports, bytes);
        assertThat(run("sql", directory.toString(), "SELECT count(*) FROM reports"))
                .isEqualTo(1);
        assertThat(err.toString()).contains(reports.toString()).doesNotContain("\tat ");
    }

    @Test
    void shouldAnswerSeveralStatementsWithTheRowsOfTheLast() {
        assertThat(sql("CREATE TEMP TABLE mine AS FROM trades; SELECT count(*) AS n FROM mine"))
                .containsExactly("n", "1");
    }

    @Test
    void shouldKeepWhatDoesNotFitInAFolderOfItsOwn() throws IOException {
        Path temporary = directory.resolve("temporary");

        assertThat(run(
                        "sql",
                        directory.toString(),
                        "--temp",
                        temporary.toString(),
                        "--memory-mb",
                        "32",
                        "SELECT count(DISTINCT md5(i::VARCHAR)) FROM range(1000000) AS t(i)"))
                .as(err.toString())
                .isZero();
        assertThat(lines()).contains("1000000");
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldNameAFolderThatCannotBeMade() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(run("sql", directory.toString(), "--temp", file.toString(), "SELECT 1"))
                .isEqualTo(1);
        assertThat(err.toString()).contains(file.toString()).doesNotContain("\tat ");
        assertThat(run("export", directory.toString(), "--out", file.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains(file.toString()).doesNotContain("\tat ");
    }

    @Test
    void shouldFetchNothingFromElsewhere() {
        assertThat(run("sql", directory.toString(), "SELECT count(*) FROM read_xlsx('none.xlsx')"))
                .isEqualTo(1);
        assertThat(sql("SELECT current_setting('autoinstall_known_extensions')"))
                .contains("false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sql", "tables", "export", "trace"})
    void shouldHelp(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(out.toString()).contains("Usage: books " + command);
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains(command).contains("Exit codes:");
    }

    @Test
    void shouldListEveryTable() {
        assertThat(run("tables", directory.toString())).isZero();
        assertThat(lines())
                .contains("blocks\thash\tVARCHAR", "orders\tord_status\tVARCHAR", "positions\tbought_qty\tBIGINT");
    }

    private List<String> contents() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .sorted()
                    .map(file -> file + " " + file.toFile().length() + " "
                            + file.toFile().lastModified())
                    .toList();
        }
    }

    private List<String> sql(String statement) {
        assertThat(run("sql", directory.toString(), statement))
                .as("%s: %s", statement, err)
                .isZero();
        return lines();
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return BooksTool.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }
}
