package io.sealbook.perf.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The committed baseline and the benchmarks of this build. */
class BaselineNamesTest {
    private static final String ALL = ".*";

    private final Set<String> built = new BenchmarkNames(ALL).all();
    private final Set<String> baseline;

    BaselineNamesTest() throws IOException {
        baseline = Baseline.read(Home.find().resolve("perf/baseline/regression.json"))
                .ratios()
                .keySet();
    }

    @Test
    void shouldHaveRatiosOfBenchmarksOfThisBuildOnly() {
        assertThat(built).hasSizeGreaterThan(50).containsAll(baseline);
    }

    @Test
    void shouldHaveARatioOfEachBenchmark() {
        assertThat(baseline).containsAll(built);
    }
}
