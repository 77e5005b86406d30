package io.sealbook.perf.offload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.results.Result;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Each configuration for a few seconds: its checks must hold, the rates say nothing. */
class OffloadIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureEachConfigurationAndCheckItsAnswers() throws Exception {
        Path json = directory.resolve("offload.json");

        int exitCode = new CommandLine(new OffloadCommand())
                .execute(
                        "--clients=2",
                        "--loops=0,1000",
                        "--nodes=4",
                        "--seconds=3",
                        "--warm-up=0",
                        "--dir=" + directory.resolve("cluster"),
                        "--json=" + json);

        assertThat(exitCode).isZero();
        Result result = Result.read(json);
        assertThat(result.rows()).hasSize(2 * Configuration.values().length);
        assertThat(result.rows())
                .allSatisfy(row ->
                        assertThat(row.figures().get("requestsPerSecond")).isPositive());
        assertThat(result.rows().get(0).figures()).containsEntry("throughputGainPercent", 0.0);
        assertThat(result.rows().get(2).label()).isEqualTo(Configuration.THREADS.label);
    }
}
