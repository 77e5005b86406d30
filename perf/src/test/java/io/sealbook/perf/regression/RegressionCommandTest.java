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
    void shouldNameAFileThatIsNoBaseline() {
        Path absent = directory.resolve("absent.json");

        assertThat(regression(absent)).isNotZero();
    }

    private static int regression(Path baseline, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "--include",
                DIGEST_BENCHMARKS,
                "--baseline",
                baseline.toString(),
                "--iterations",
                "2",
                "--millis",
                "20",
                "--forks",
                "0"));
        arguments.addAll(List.of(options));
        return new CommandLine(new RegressionCommand()).execute(arguments.toArray(String[]::new));
    }
}
