package io.sealbook.perf.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    private static final String UPDATE = "results.update";

    @TempDir
    private Path directory;

    /** The tables that people read are made from the files; {@code -Dresults.update=true} makes them. */
    @Test
    void shouldShowTheTablesOfAllResults() throws IOException {
        Path folder = Home.find().resolve(ResultsCommand.FOLDER);
        String tables = ResultsCommand.markdown(ResultsCommand.all(folder));
        Path page = folder.resolve("README.md");
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(page, tables);
        }

        assertThat(ResultsCommand.all(folder)).isNotEmpty();
        assertThat(page).content().as("make it again with -D%s=true", UPDATE).isEqualTo(tables);
    }

    @Test
    void shouldReadWhatItWroteAndPrintItsTable() throws IOException {
        Path file = directory.resolve("one.json");
        ResultRow row = ResultRow.of("30 orders per batch")
                .with(Figure.ORDERS_PER_SECOND, 339_251.4)
                .with(Figure.P50_MS, 44);
        Result result = RunFacts.measured(
                List.of("throughput", "--orders", "30"), "Throughput", Home.find(), List.of("A note."), List.of(row));

        result.write(file);

        assertThat(Result.read(file)).isEqualTo(result);
        assertThat(result.machine()).contains("cores").contains("GiB");
        assertThat(ResultTable.markdown("one.json", result))
                .contains("## Throughput\n")
                .contains("- `throughput --orders 30`\n- A note.\n")
                .endsWith("""
                        | run                 | orders/s | p50 ms |
                        |---------------------|---------:|-------:|
                        | 30 orders per batch |  339,251 |   44.0 |
                        """);
    }

    @Test
    void shouldLeaveACellEmptyWhereARowLacksAFigure() {
        Result result = result(
                ResultRow.of("one").with(Figure.RATIO, 0.5),
                ResultRow.of("two").with(Figure.RATIO, 1).with(Figure.RATIO_SPREAD, 0.09));

        assertThat(ResultTable.markdown("r.json", result)).endsWith("""
                        | run | ratio | ± ratio |
                        |-----|------:|--------:|
                        | one |  0.50 |         |
                        | two |  1.00 |    0.09 |
                        """);
    }

    @Test
    void shouldRefuseAFigureWithoutAUnit() throws IOException {
        Path file = Files.writeString(directory.resolve("r.json"), """
                {"experiment": "e", "title": "t", "source": "transcribed", "documented": "abc", "date": "2026-01-01",
                 "machine": "m", "jvm": "j", "notes": [], "rows": [{"label": "l", "figures": {"speed": 1}}]}
                """);

        assertThatThrownBy(() -> Result.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("speed in the row \"l\" is no figure");
    }

    @Test
    void shouldRefuseAResultThatDoesNotSayWhereItIsFrom() {
        assertThatThrownBy(() -> new Result(
                                "e", "t", "measured", "c", null, "2026-01-01", "", "j", null, "e", List.of(), List.of())
                        .write(directory.resolve("r.json")))
                .hasMessageContaining("machine is missing");
        assertThatThrownBy(() -> new Result(
                                "e", "t", "heard", "c", null, "2026-01-01", "m", "j", null, "e", List.of(), List.of())
                        .write(directory.resolve("r.json")))
                .hasMessageContaining("source is heard");
    }

    @Test
    void shouldRecordNoCommitOutsideOfACheckout() throws IOException {
        assertThat(RunFacts.commit(directory)).isNull();
    }

    private static Result result(ResultRow... rows) {
        return new Result(
                "e", "t", "transcribed", null, "abc", "2026-01-01", "m", "j", null, null, List.of(), List.of(rows));
    }
}
