package io.sealbook.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over the node of {@link TestBooks}. */
class ExportCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeNode() {
        TestBooks.write(directory);
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
