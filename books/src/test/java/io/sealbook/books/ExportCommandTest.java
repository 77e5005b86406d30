package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over the node of {@link TestBooks}. */
class ExportCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Digest genesis;

    @BeforeEach
    void writeNode() {
        genesis = TestBooks.write(directory);
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

    /** The node and its engine go on while the first table is written. */
    @Test
    void shouldEndAllTablesWithOneBlock() {
        StringWriter lines = after("blocks.parquet", () -> TestBooks.appendBlockThree(directory, genesis, true));

        assertThat(export(new PrintWriter(lines, true))).as(err.toString()).isZero();

        assertThat(lines.toString()).contains("range 1..2").contains("trades.parquet");
        for (String table : List.of("blocks", "batches", "entries", "reports")) {
            assertThat(maxBlock(table)).as(table).isEqualTo("2");
        }
        assertThat(maxBlock("trades")).isEqualTo("1");
        assertThat(sql("SELECT max(block) FROM reports"))
                .as("the engine went on")
                .contains("3");
    }

    /** It cuts its reports back to its snapshot, and has not made them again when the next table is read. */
    @ParameterizedTest
    @ValueSource(strings = {"changes.parquet", "reports.parquet"})
    void shouldLeaveNoFileIfAnEngineStarts(String lastWhole) throws IOException {
        StringWriter lines = after(lastWhole, () -> TestBooks.cutBackToBlockOne(directory));

        assertThat(export(new PrintWriter(lines, true))).isEqualTo(1);

        assertThat(err.toString())
                .contains("an engine has started and cut them back to block 1, expected all up to block 2")
                .doesNotContain("\tat ");
        try (Stream<Path> left = Files.list(directory.resolve("out"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldKeepTheFilesOfAnEarlierExportIfItFails() throws IOException {
        Path reports = directory.resolve("out/reports.parquet");
        Files.createDirectories(reports.getParent());
        Files.writeString(reports, "of an earlier export");

        assertThat(export(new PrintWriter(out, true))).isEqualTo(2);

        try (Stream<Path> left = Files.list(reports.getParent())) {
            assertThat(left).containsExactly(reports);
        }
        assertThat(reports).hasContent("of an earlier export");
    }

    @Test
    void shouldEndAnExportWithTheLastBlockWhoseReportsAreAllFiled() throws IOException {
        Path filed = directory.resolve("engine/reports/filed");
        byte[] before = Files.readAllBytes(filed);
        TestBooks.appendBlockThree(directory, genesis, false);
        Files.write(filed, before);

        assertThat(export(new PrintWriter(out, true))).as(err.toString()).isZero();

        assertThat(lines()).contains("range 1..2");
        assertThat(maxBlock("blocks")).isEqualTo("2");
        assertThat(maxBlock("reports")).isEqualTo("2");
    }

    @Test
    void shouldSayThatTablesEndDifferentlyBeyondThatBlock() {
        assertThat(run("export", directory.toString(), "--to", "3", "--out", "" + directory.resolve("out")))
                .isZero();

        assertThat(lines()).contains("range 1..3");
        assertThat(err.toString()).contains("blocks after 2 ");
    }

    /** Of a node whose engine is on another machine. */
    @Test
    void shouldExportAnArchiveWithoutReports() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("engine"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        assertThat(export(new PrintWriter(out, true))).as(err.toString()).isZero();

        assertThat(lines()).contains("range 1..2");
        assertThat(maxBlock("entries")).isEqualTo("2");
    }

    /** Returns a writer that runs an event when a line with this text has been printed. */
    private static StringWriter after(String text, Runnable event) {
        return new StringWriter() {
            private boolean hasRun;

            @Override
            public void write(String part, int offset, int length) {
                super.write(part, offset, length);
                if (!hasRun && toString().contains(text)) {
                    hasRun = true;
                    event.run();
                }
            }
        };
    }

    private int export(PrintWriter lines) {
        return BooksTool.run(
                lines,
                new PrintWriter(err, true),
                "export",
                directory.toString(),
                "--out",
                directory.resolve("out").toString());
    }

    private String maxBlock(String table) {
        return sql("SELECT max(block) FROM '" + directory.resolve("out").resolve(table + ".parquet") + "'")
                .get(1);
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
