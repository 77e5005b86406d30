package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** One loss of the primary, and what became of the orders. */
class FailoverIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureAFailoverAndCheckWhatBecameOfTheOrders() throws Exception {
        Path json = directory.resolve("failover.json");

        int exitCode = new CommandLine(new FailoverCommand())
                .execute(
                        "--runs=1",
                        "--batches=20",
                        "--warm-up=0",
                        "--shape=replica",
                        "--dir=" + directory.resolve("cluster"),
                        "--json=" + json);

        assertThat(exitCode).isZero();
        Result result = Result.read(json);
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly("SIGKILL of the primary to the next committed block");
        assertThat(result.notes())
                .anyMatch(note ->
                        note.matches("Each engine executed all [\\d,]+ orders once, refused none, results are equal."));
    }
}
