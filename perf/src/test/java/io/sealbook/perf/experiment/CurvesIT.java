package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two points for a few seconds, on clusters of different size. */
class CurvesIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureEachPointOnAClusterOfItsOwn() throws Exception {
        Path json = directory.resolve("curves.json");

        int exitCode = new CommandLine(new CurvesCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(
                        "nodes",
                        "--points=4,5",
                        "--seconds=3",
                        "--warm-up=0",
                        "--open-loop=1000",
                        "--shape=replica",
                        "--dir=" + directory.resolve("cluster"),
                        "--json=" + json);

        assertThat(exitCode).isZero();
        assertThat(Result.read(json).rows())
                .extracting(ResultRow::label, row -> row.figures().get("nodes"))
                .containsExactly(tuple("4 nodes", 4.0), tuple("5 nodes", 5.0));
        assertThat(Result.read(json).rows())
                .allSatisfy(
                        row -> assertThat(row.figures().get("ordersPerSecond")).isPositive());
    }
}
