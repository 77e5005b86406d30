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

/** Two variants for a few seconds: clusters that run otherwise than by default must come to right answers, too. */
class AblationIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureVariantsAndCheckTheirAnswers() throws Exception {
        Path json = directory.resolve("ablation.json");

        int exitCode = new CommandLine(new AblationCommand())
                .execute(
                        "--without",
                        "IDS_ONLY,PARALLEL_VERIFY",
                        "--seconds",
                        "3",
                        "--warm-up",
                        "0",
                        "--open-loop",
                        "2000",
                        "--books",
                        "20",
                        "--resting",
                        "400",
                        "--dir",
                        directory.resolve("cluster").toString(),
                        "--json",
                        json.toString());

        assertThat(exitCode).isZero();
        Result result = Result.read(json);
        assertThat(result.notes()).anyMatch(note -> note.startsWith("Open loop of 2,000 orders/s"));
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly("payloads go with the proposal", "signatures verified one by one");
    }
}
