package io.sealbook.perf.regression;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RegressionCommandTest {
    private static final String DIGEST_BENCHMARKS = ".*CalibrationBenchmark.*|.*HmacVectorBenchmark.*";

    private static final String OTHER = "SignBenchmark.sign provider=bc scheme=SM2_SM3";

    @TempDir
    private Path directory;

    private final StringWriter output = new StringWriter();

    @Test
    void shouldPassAgainstItsOwnBaselineAndFailAgainstAFarBetterOne() throws IOException {
        Path baseline = directory.resolve("baseline.json");

        assertThat(regression(baseline, "--update", "--tolerance", "0.95")).isZero();
        Baseline measured = Baseline.read(baseline);
        assertThat(measured.ratios()).isNotEmpty();
        assertThat(regression(baseline)).isZero();

        Map<String, Double> better = new LinkedHashMap<>();
        measured.ratios().forEach((name, ratio) -> better.put(name, 1_000 * ratio));
        new Baseline(measured.java(), measured.tolerance(), better).write(baseline);
        assertThat(regression(baseline)).isEqualTo(1);
    }

    @Test
    void shouldRefuseToJudgeWhenTheMachineChangedItsSpeed() throws IOException {
        Path baseline = directory.resolve("baseline.json");

        assertThat(regression(baseline, "--update", "--drift", "-1")).isEqualTo(3);
        assertThat(baseline).doesNotExist();

        new Baseline("25", 0.4, Map.of("HmacVectorBenchmark.mac", 0.001)).write(baseline);
        assertThat(regression(baseline, "--drift", "-1")).isEqualTo(3);
    }

    @Test
    void shouldKeepTheOtherRatiosIfAPartIsUpdated() throws IOException {
        Path baseline = directory.resolve("baseline.json");
        new Baseline(
                        "21",
                        0.3,
                        Map.of(OTHER, 2.0, "HmacVectorBenchmark.gone", 1.0, "HmacVectorBenchmark.overFrame", 1e9))
                .write(baseline);

        assertThat(regression(baseline, "--update")).isZero();

        Baseline updated = Baseline.read(baseline);
        assertThat(updated.tolerance()).isEqualTo(0.3);
        assertThat(updated.ratios())
                .containsOnlyKeys(OTHER, "HmacVectorBenchmark.overDigest", "HmacVectorBenchmark.overFrame")
                .containsEntry(OTHER, 2.0);
        assertThat(updated.ratios().get("HmacVectorBenchmark.overFrame")).isLessThan(1e9);
    }

    @Test
    void shouldNotPassIfThereIsNothingToCompare() throws IOException {
        Path baseline = directory.resolve("baseline.json");
        new Baseline("25", 0.4, Map.of(OTHER, 2.0)).write(baseline);

        assertThat(regression(baseline)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(output.toString()).contains("Nothing to compare: " + baseline);
    }

    @Test
    void shouldMissWhatTheBaselineHasOfThePartThatRuns() throws IOException {
        Path baseline = directory.resolve("baseline.json");
        new Baseline(
                        "25",
                        0.4,
                        Map.of(OTHER, 2.0, "HmacVectorBenchmark.gone", 1.0, "HmacVectorBenchmark.overFrame", 1e-9))
                .write(baseline);

        assertThat(regression(baseline)).isEqualTo(1);
        assertThat(output.toString())
                .contains("HmacVectorBenchmark.gone is in the baseline and did not run: LOST")
                .contains("(--update --include adds it):" + System.lineSeparator() + "  HmacVectorBenchmark.overDigest")
                .contains("LOSS beyond 40 %: 1 compared, 1 not compared, 1 lost.")
                .doesNotContain(OTHER);
    }

    @Test
    void shouldNameAFileThatIsNoBaseline() {
        Path absent = directory.resolve("absent.json");

        assertThat(regression(absent)).isNotZero();
    }

    private int regression(Path baseline, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "--include",
                DIGEST_BENCHMARKS,
                "--baseline",
                baseline.toString(),
                "--log",
                directory.resolve("jmh.log").toString(),
                "--iterations",
                "2",
                "--millis",
                "20",
                "--forks",
                "0"));
        arguments.addAll(List.of(options));
        if (!arguments.contains("--drift")) {
            // The machine may do other things beside: what is judged here is the command.
            arguments.addAll(List.of("--drift", "2"));
        }
        return new CommandLine(new RegressionCommand())
                .setOut(new PrintWriter(output, true))
                .execute(arguments.toArray(String[]::new));
    }
}
