package io.sealbook.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.flow.FlowFiles;
import io.sealbook.perf.flow.RecordedDay;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment, so that none rots: each checks its own answers and fails on a wrong one. */
class BenchmarksTest {
    @Test
    void shouldRunEveryBenchmarkOnce() throws Exception {
        // Applies to the benchmarks that have a flow.
        Collection<RunResult> results = run(options(".*").param("flow", "sample", "books2000"));

        assertThat(results).hasSizeGreaterThan(50);
    }

    @Test
    void shouldRunTheMatchingBenchmarksOnRecordedDays() throws Exception {
        Path data = FlowFiles.dataDirectory(Home.find());
        for (RecordedDay day : RecordedDay.values()) {
            assumeTrue(
                    day.find(data).isPresent(), "needs recorded days: no " + day.fileNameStart() + "* below " + data);
        }

        assertThat(run(options("OrderBookBenchmark").param("flow", "shanghai", "nasdaq")))
                .hasSize(2);
        assertThat(run(options("PeerOrderBookBenchmark").param("flow", "shanghai")))
                .hasSize(1);
    }

    private static ChainedOptionsBuilder options(String benchmark) {
        return new OptionsBuilder()
                .include("io\\.sealbook\\.perf\\.bench\\..*\\b" + benchmark)
                .forks(0)
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(20))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
    }

    private static Collection<RunResult> run(ChainedOptionsBuilder options) throws RunnerException {
        return new Runner(options.build()).run();
    }
}
