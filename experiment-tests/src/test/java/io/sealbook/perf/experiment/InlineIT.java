package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.inline.ContractBuild;
import io.sealbook.perf.results.Result;
import io.sealbook.perf.results.ResultRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Execution outside and inside consensus for a few seconds: the command fails unless every digest is the oracle's. */
class InlineIT {
    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldAgreeOnTheOraclesResultWhereverBlocksAreExecuted() throws Exception {
        Path json = directory.resolve("inline.json");

        int exitCode = new CommandLine(new InlineCommand())
                .execute(
                        "--orders",
                        "5",
                        "--seconds",
                        "3",
                        "--warm-up",
                        "0",
                        "--dir",
                        directory.resolve("cluster").toString(),
                        "--json",
                        json.toString());

        assertThat(exitCode).isZero();
        List<String> expected = new ArrayList<>(
                List.of("separated, matching engine, 5 orders per batch", "inline, matching core, 5 orders per batch"));
        if (ContractBuild.of(Home.find()).missing().isEmpty()) {
            expected.add("inline, contract in an EVM, 5 orders per batch");
        }
        assertThat(Result.read(json).rows()).extracting(ResultRow::label).isEqualTo(expected);
    }
}
