package io.sealbook.perf.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.perf.cluster.Home;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SampleDayTest {
    private static final int SEED = 1;
    private static final int ENTRIES = 10_000;

    @TempDir
    private Path directory;

    /** What matching-core's tests replay is what this code makes, and so are its answers. */
    @Test
    void shouldMakeTheDayThatMatchingCoreReplays() throws IOException {
        Path committed = Home.find().resolve("matching-core/src/test/resources/io/sealbook/matching/sample-day.csv.gz");

        try (BufferedReader reader = FlowFiles.open(committed)) {
            assertThat(reader.lines()).containsExactlyElementsOf(SampleDay.rows(SEED, ENTRIES));
        }
    }

    @Test
    void shouldWriteAFileThatReadsAsTheFlowItWasMadeFrom() throws IOException {
        Path file = directory.resolve("day.csv.gz");

        int exitCode =
                new CommandLine(new SampleCommand()).execute("--seed", "7", "--entries", "3000", file.toString());
        OrderFlow read = FlowFiles.read(file);

        OrderFlow made = SyntheticFlow.generate("SAMPLE", 7, 3_000, SyntheticFlow.Mix.LIMITS_AND_CANCELS);
        assertThat(exitCode).isZero();
        assertThat(read.commandCount()).isEqualTo(3_000);
        assertThat(trades(read)).isEqualTo(trades(made)).hasSizeGreaterThan(500);
        assertThat(read.steps().get(2_999).levels().bids())
                .isEqualTo(made.steps().get(2_999).levels().bids());
    }

    @Test
    void shouldMakeAnotherDayFromAnotherSeed() {
        assertThat(SampleDay.rows(1, 100)).isEqualTo(SampleDay.rows(1, 100)).isNotEqualTo(SampleDay.rows(2, 100));
    }

    @Test
    void shouldEndBeforeTheClosingCall() {
        List<String> rows = SampleDay.rows(SEED, SampleDay.ENTRIES_MAX);

        assertThat(Integer.parseInt(rows.get(rows.size() - 1).split(",")[1])).isLessThan(14_57_00_00);
        assertThatThrownBy(() -> SampleDay.rows(SEED, SampleDay.ENTRIES_MAX + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 150001");
    }

    private static List<FlowStep.ExpectedTrade> trades(OrderFlow flow) {
        return flow.steps().stream().flatMap(step -> step.trades().stream()).toList();
    }
}
