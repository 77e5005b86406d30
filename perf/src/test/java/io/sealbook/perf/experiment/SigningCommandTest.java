package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SigningCommandTest {
    /** Tiny: the checks inside must hold, the rates say nothing. */
    @Test
    void shouldMeasureEveryStep(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("signing.json");

        int status = new CommandLine(new SigningCommand())
                .execute("--seconds=0.05", "--warm-up=0.05", "--threads=1,3", "--json=" + json);

        List<ResultRow> rows = Result.read(json).rows();
        assertThat(status).isZero();
        // Three steps of secp256k1 and two of SM2 need no native code.
        assertThat(rows).hasSizeBetween(2 * 5, 2 * 9);
        assertThat(rows)
                .allSatisfy(
                        row -> assertThat(row.figures().get("batchesPerSecond")).isPositive());
    }
}
