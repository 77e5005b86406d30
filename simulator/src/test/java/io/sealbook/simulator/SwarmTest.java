package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwarmTest {
    private static final int SEEDS = 7;

    @Test
    void shouldGoOnAfterAFailureAndReportEachOnce() throws InterruptedException {
        Set<Long> failed = new ConcurrentSkipListSet<>();
        AtomicInteger begun = new AtomicInteger();
        Swarm swarm = new Swarm(
                seed -> {
                    throw new SimulationFailure("seed " + seed);
                },
                100,
                (seed, failure) -> failed.add(seed));

        RunTotals totals = swarm.run(3, () -> begun.incrementAndGet() > SEEDS);

        assertThat(failed).containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L);
        assertThat(totals.seeds()).isZero();
    }

    /** A thread that dies would leave its seeds unsearched, and the swarm would look well. */
    @Test
    void shouldGoOnAfterAnErrorOfTheVirtualMachine() throws InterruptedException {
        Set<Long> failed = new ConcurrentSkipListSet<>();
        AtomicInteger begun = new AtomicInteger();
        Swarm swarm = new Swarm(
                seed -> {
                    throw new StackOverflowError("seed " + seed);
                },
                100,
                (seed, failure) -> failed.add(seed));

        swarm.run(2, () -> begun.incrementAndGet() > SEEDS);

        assertThat(failed).containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--set n=3              | n=3 is below 4",
                "--set nodes=5          | no knob nodes",
                "--set n=4 --threads 0  | --threads 0 is below 1"
            })
    void shouldRefuseWhatNoRunCanHave(String options, String reason) {
        StringWriter errors = new StringWriter();

        int exitCode = SimulatorTool.commandLine()
                .setErr(new PrintWriter(errors))
                .execute(("swarm --minutes 0 " + options).split(" "));

        assertThat(exitCode).isNotZero();
        assertThat(errors.toString()).contains(reason).doesNotContain("\tat ");
    }

    /** Each seed of these has a pipeline that is wider than its log. */
    @Test
    void shouldFailIfNoSeedHeld() {
        StringWriter out = new StringWriter();

        int exitCode = SimulatorTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute("swarm", "--minutes", "0", "--set", "W=1000000");

        assertThat(exitCode).as(out.toString()).isEqualTo(1);
        assertThat(out.toString()).contains("FAILED seed 0: ", "repeat with: --seed 0 --set W=1000000", "0 seeds");
    }

    @Test
    void shouldRunForATime() {
        StringWriter out = new StringWriter();

        int exitCode = SimulatorTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute(
                        "swarm",
                        "--minutes",
                        "0.01",
                        "--threads",
                        "2",
                        "--set",
                        "n=4,batches=5,chaos=500",
                        "--from",
                        "9");

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString()).contains("seeds from 9 held, 0 failed");
    }
}
