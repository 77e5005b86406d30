package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over the node of {@link TestBooks}. */
class BooksToolTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeNode() {
        TestBooks.write(directory);
    }

    /** As on a full disk. */
    @Test
    void shouldFailIfItsAnswerIsCutOff() {
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int offset, int length) throws IOException {
                throw new IOException("No space left on device");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };

        int exitCode = BooksTool.run(new PrintWriter(full, true), new PrintWriter(err, true), "--help");

        assertThat(exitCode).isEqualTo(BooksTool.FAILED);
        assertThat(err.toString()).contains("standard output cannot be written");
    }

    /** Its report has no order: the orders that it cancels have reports of their own. */
    @Test
    void shouldShowNoOrderOfAMassCancel() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            TestBooks.append(stores, 1, 4, TestBooks.report(2, 7, 0, 9).execType(ExecType.MASS_CANCEL_REPORT));
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
            TestBooks.append(stores, 1, 4, largeFill(TestBooks.report(2, 7, 13, 8), Side.BUY, quantity));
            TestBooks.append(stores, 2, 4, largeFill(TestBooks.report(2, 8, 14, 8), Side.SELL, quantity));
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
        return TestBooks.fill(report, side, 0)
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
    void shouldNameTheFirstReportsIfEarlierOnesAreNotKept() {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 4, Durability.PROCESS)) {
            TestBooks.append(stores, 1, 4, TestBooks.report(2, 7, 13, 8).side(Side.BUY));
            TestBooks.append(stores, 1, 5, TestBooks.report(3, 8, 14, 9).side(Side.BUY));
            stores.endBlock();
            stores.flush(3);
            assertThat(stores.pruneBefore(3, new TreeMap<>(Map.of(1, 5L)))).isOne();
        }

        sql("FROM positions");
        assertThat(err.toString().lines())
                .containsExactly("reports of broker 1 begin with 5, of block 3: earlier ones" + " are no longer kept");
        sql("SELECT count(*) FROM trades");
        assertThat(err.toString().lines()).as("read twice").hasSize(1);
        sql("SELECT count(*) FROM blocks");
        assertThat(err.toString()).as("without reports").isEmpty();
        sql("SELECT count(*) FROM reports(from_block := 4)");
        assertThat(err.toString()).as("of later blocks").isEmpty();
    }

    @Test
    void shouldFailIfAReportFileBetweenOthersIsMissing() throws IOException {
        try (ReportStores stores =
                new ReportStores(directory.resolve("engine/reports"), List.of(1, 2), 1, Durability.PROCESS)) {
            TestBooks.append(stores, 1, 4, TestBooks.report(2, 7, 13, 8).side(Side.BUY));
            TestBooks.append(stores, 1, 5, TestBooks.report(2, 8, 14, 9).side(Side.BUY));
            stores.endBlock();
            stores.flush(2);
        }
        Files.delete(directory.resolve("engine/reports/broker-1/00000000000000000004.reports"));

        assertThat(run("sql", directory.toString(), "FROM orders")).isEqualTo(1);
        assertThat(err.toString()).contains("00000000000000000005.reports begins with report 5, expected 4");
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
