package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Two variants for a few seconds: clusters that run otherwise than by default must come to right answers, too. */
class AblationIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureVariantsAndCheckTheirAnswers() throws Exception {
        Result result = ablation("--without=IDS_ONLY,PARALLEL_VERIFY");

        assertThat(result.notes()).anyMatch(note -> note.startsWith("Open loop of 2,000 orders/s"));
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly("payloads go with the proposal", "signatures verified one by one");
    }

    @Test
    @Tag("long")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldMeasureClustersInTurns() throws Exception {
        Result result = ablation("--without=ALL_ON,SECURITY", "--turns=2");

        assertThat(result.notes()).anyMatch(note -> note.contains("measured in 2 turns"));
        assertThat(result.rows())
                .extracting(ResultRow::label)
                .containsExactly("everything on", "TLS and roles at every port");
        assertThat(result.rows().getFirst().figures())
                .containsEntry("ratio", 1.0)
                .containsEntry("ratioSpread", 0.0)
                .containsEntry("microsRatio", 1.0);
        assertThat(result.rows().getLast().figures().get("microsRatio")).isPositive();
    }

    @Test
    void shouldRefuseTurnsOfAllVariants() {
        int exitCode = new CommandLine(new AblationCommand()).execute("--turns=2");

        assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    }

    private Result ablation(String... options) throws IOException {
        Path json = directory.resolve("ablation.json");
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "--shape=replica",
                "--seconds=3",
                "--warm-up=0",
                "--open-loop=2000",
                // How fast this machine is beside other work is no question of a test.
                "--rate-min=0",
                "--books=20",
                "--resting=400",
                "--dir=" + directory.resolve("cluster"),
                "--json=" + json));

        int exitCode = new CommandLine(new AblationCommand()).execute(arguments.toArray(String[]::new));

        assertThat(exitCode).isZero();
        return Result.read(json);
    }
}
