package io.sealbook.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none rots: each checks its own answers and fails on a wrong one. */
class BenchmarksTest {
    @Test
    void shouldRunEveryBenchmarkOnce() throws Exception {
        var results = new Runner(new OptionsBuilder()
                        .include("io\\.sealbook\\.perf\\.bench\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(20))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results).isNotEmpty();
    }
}
