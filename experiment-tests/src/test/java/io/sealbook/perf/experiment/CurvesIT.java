package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Few points for a few seconds each, on clusters that differ. */
@Tag("long")
class CurvesIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureEachPointOnAClusterOfItsOwn() throws Exception {
        List<ResultRow> rows = curves("nodes", "--points=4,5", "--for-each=proposals", "--members=2", "--transfer");

        assertThat(rows)
                .extracting(
                        ResultRow::label,
                        row -> row.figures().get("nodes"),
                        row -> row.figures().get("proposalsInFlight"))
                .containsExactly(
                        tuple("4 nodes; 2 proposals in flight", 4.0, 2.0),
                        tuple("5 nodes; 2 proposals in flight", 5.0, 2.0));
        assertThat(rows)
                .allSatisfy(row -> assertThat(List.of(
                                row.figures().get("ordersPerSecond"),
                                row.figures().get("mebibytesPerSecond")))
                        .allSatisfy(figure -> assertThat(figure).isPositive()));
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldDelayAndNarrowTheLinksOfMembers() throws Exception {
        int delayMs = 30;

        List<ResultRow> rows = curves("link-delay", "--points=" + delayMs, "--member-bandwidth=50");

        assertThat(rows).extracting(ResultRow::label).containsExactly(delayMs + " link delay ms");
        // A batch goes to the other members and is acknowledged by them before any of them may prepare it.
        assertThat(rows.get(0).figures().get("meanMs")).isGreaterThan(2.0 * delayMs);
    }

    private List<ResultRow> curves(String... options) throws IOException {
        Path json = directory.resolve("curves.json");
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "--seconds=3",
                "--warm-up=0",
                "--open-loop=1000",
                // How fast this machine is beside other work is no question of a test.
                "--rate-min=0",
                "--shape=replica",
                "--dir=" + directory.resolve("cluster"),
                "--json=" + json));

        int exitCode = new CommandLine(new CurvesCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments.toArray(String[]::new));

        assertThat(exitCode).isZero();
        return Result.read(json).rows();
    }
}
