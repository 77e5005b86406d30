package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatorTest {
    /** Far from the named seeds below, so that each of those is a run of its own. */
    private static final long FIRST_SEED = 1_000_000;

    @Test
    void shouldKeepEveryInvariantAndRecoverFor500Seeds() {
        long blocks = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 500; seed++) {
            blocks += new Simulation(Scenario.of(seed), null).run().blocks();
        }

        assertThat(blocks).isGreaterThan(10_000);
    }

    @Test
    void shouldKeepEveryInvariantAndRecoverIfEachResultIsAwaited() {
        long blocks = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 60; seed++) {
            blocks += new Simulation(Scenario.of(seed).awaitingEachResult(), null)
                    .run()
                    .blocks();
        }

        assertThat(blocks).isGreaterThan(1_000);
    }

    /** A node that stood still votes in two views in one cycle, and its log begins a segment between the two. */
    @Test
    void shouldTakeLaterRecordsForThoseOfAVoteInAnEarlierView() {
        assertThat(new Simulation(Scenario.of(347), null).run().blocks()).isPositive();
    }

    @Test
    void shouldRunTheSameTwice() {
        assertThat(traceOf(7)).isEqualTo(traceOf(7)).hasSizeGreaterThan(1_000);
    }

    private static List<String> traceOf(long seed) {
        List<String> trace = new ArrayList<>();
        new Simulation(Scenario.of(seed), trace::add).run();
        return trace;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--seeds 3", "--seed 5"})
    void shouldReturnZeroWhenEverySeedHolds(String arguments) {
        StringWriter out = new StringWriter();

        int exitCode = SimulatorTool.commandLine().setOut(new PrintWriter(out)).execute(arguments.split(" "));

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("seeds from");
    }
}
