package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Keeps the experiment from rotting: a few seconds of it, with its own check of the answers. */
class ThroughputIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureAndCheckItsAnswers() throws Exception {
        Path json = directory.resolve("throughput.json");

        int exitCode = new CommandLine(new ThroughputCommand())
                .execute(
                        "--orders", "1,30",
                        "--seconds", "3",
                        "--series", "1",
                        "--warm-up", "0",
                        "--dir", directory.resolve("cluster").toString(),
                        "--json", json.toString());

        assertThat(exitCode).isZero();
        Result result = Result.read(json);
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly(
                        "1 orders per batch",
                        "1 orders per batch, over time",
                        "1 orders per batch, over time",
                        "1 orders per batch, over time",
                        "30 orders per batch",
                        "30 orders per batch, over time",
                        "30 orders per batch, over time",
                        "30 orders per batch, over time");
        assertThat(result.rows().stream().map(row -> row.figures().get("fromSeconds")))
                .containsExactly(null, 0.0, 1.0, 2.0, null, 0.0, 1.0, 2.0);
        assertThat(result.rows())
                .filteredOn(row -> !row.label().endsWith("over time"))
                .allSatisfy(row -> assertThat(row.figures())
                        .containsKeys("ordersPerSecond", "nodeLagBlocks", "missingReports")
                        // Finite only if orders were committed. How many is no question of a test.
                        .hasEntrySatisfying(
                                "nodeMicros",
                                micros -> assertThat(micros).isFinite().isPositive()));
        assertThat(result.command()).startsWith("throughput --orders 1,30");
        assertThat(result.notes())
                .anyMatch(note -> note.contains("durability class process"))
                .anyMatch(note -> note.startsWith("Execution reports delivered at f + 1; database off"));
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldFailIfBrokersDoNotKeepTheRateOfAnOpenLoop() {
        StringWriter errors = new StringWriter();

        int exitCode = new CommandLine(new ThroughputCommand())
                .setErr(new PrintWriter(errors))
                .execute(
                        "--orders", "1",
                        // No machine signs as many.
                        "--open-loop", "1000000000",
                        "--seconds", "1",
                        "--warm-up", "0",
                        "--shape", "replica",
                        "--dir", directory.resolve("cluster").toString());

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.SOFTWARE);
        assertThat(errors.toString()).contains("1,000,000,000.0 were intended: less than --rate-min 99 %");
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldCountWhatAClusterDoesThatHasLittleToDo() throws Exception {
        Path json = directory.resolve("idle.json");

        int exitCode = new CommandLine(new IdleCommand())
                .execute(
                        "--rates", "0,20",
                        // How fast this machine is beside other work is no question of a test.
                        "--rate-min", "0",
                        "--seconds", "1",
                        "--warm-up", "0",
                        "--shape", "replica",
                        "--dir", directory.resolve("cluster").toString(),
                        "--json", json.toString());

        assertThat(exitCode).isZero();
        List<ResultRow> rows = Result.read(json).rows();
        assertThat(rows).extracting(ResultRow::label).containsExactly("no load", "20 batches/s of 30");
        assertThat(rows).allSatisfy(row -> assertThat(row.figures()).containsKeys("memberWakeUps", "memberCores"));
        assertThat(rows.get(0).figures().get("memberFrames")).as("heartbeats").isPositive();
        assertThat(rows.get(0).figures()).doesNotContainKey("p50Ms");
        assertThat(rows.get(1).figures().get("memberBatchWakeUps")).isPositive();
    }
}
