package io.sealbook.perf.regression;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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

    @TempDir
    private Path directory;

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
        return new CommandLine(new RegressionCommand()).execute(arguments.toArray(String[]::new));
    }
}
