package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sealbook.perf.results.Result;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class HashCommandTest {
    @Test
    void shouldTimeBothImplementationsOfBothFunctions(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("hash.json");

        int status = new CommandLine(new HashCommand()).execute("--sizes=1,100", "--calls=50", "--json=" + json);

        assertThat(status).isZero();
        assertThat(Result.read(json).rows())
                .extracting(row -> row.label(), row -> row.figures().get("messageBytes"))
                .containsExactly(
                        tuple("SHA-256, software", 1.0),
                        tuple("SHA-256, Java's own", 1.0),
                        tuple("SHA-256, software", 100.0),
                        tuple("SHA-256, Java's own", 100.0),
                        tuple("HMAC-SHA-256, software", 1.0),
                        tuple("HMAC-SHA-256, Java's own", 1.0),
                        tuple("HMAC-SHA-256, software", 100.0),
                        tuple("HMAC-SHA-256, Java's own", 100.0));
        assertThat(Result.read(json).rows())
                .allSatisfy(row -> assertThat(List.of(
                                row.figures().get("p50Micros"), row.figures().get("p99Micros")))
                        .allSatisfy(micros -> assertThat(micros).isPositive()));
    }

    @Test
    void shouldRefuseAnEmptyMessage() {
        assertThat(new CommandLine(new HashCommand()).execute("--sizes=64,0")).isEqualTo(CommandLine.ExitCode.USAGE);
    }
}
