package io.sealbook.perf.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built jar, as README runs it: a benchmark that needs flags must have them in its fork. */
class BenchmarksIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRunABenchmarkInAForkWithoutFlagsFromItsUser() throws Exception {
        File log = directory.resolve("jmh.log").toFile();
        int exitCode = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Another run of JMH may be under way.
                        "-Djmh.ignoreLock=true",
                        "-jar",
                        Home.find().resolve("perf/target/benchmarks.jar").toString(),
                        "MatchingCoreBenchmark",
                        "-p",
                        "flow=books2000",
                        "-foe",
                        "true",
                        "-f",
                        "1",
                        "-wi",
                        "0",
                        "-i",
                        "1",
                        "-r",
                        "100ms")
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start()
                .waitFor();

        String output = Files.readString(log.toPath());
        assertThat(exitCode).as(output).isZero();
        assertThat(output).contains("MatchingCoreBenchmark.execute  books2000");
    }
}
