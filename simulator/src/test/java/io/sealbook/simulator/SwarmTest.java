package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
