package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.simulator.FrontRunning.Outcome;
import io.sealbook.simulator.FrontRunning.Setting;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** What a primary gains that hides batches until its own broker has answered them; the answers start a hop later. */
class FrontRunningTest {
    private static final long MS = 1_000_000L;
    private static final int CASES = 5;

    private static Outcome run(Fault ofPrimary, boolean isFair, long clockErrorNs) {
        return FrontRunning.run(1, new Setting(ofPrimary, isFair, CASES, 5 * MS, clockErrorNs));
    }

    @Test
    void shouldLetThePrimarysBrokerPassWhereTheOrderIsThePrimarys() {
        Outcome outcome = run(Fault.FRONT_RUNNING, false, MS);

        assertThat(outcome.ahead()).isEqualTo(CASES);
    }

    @Test
    void shouldReplaceAPrimaryThatLetsItsBrokerPassWhereTheOrderIsFair() {
        Outcome outcome = run(Fault.FRONT_RUNNING, true, MS);

        assertThat(outcome.ahead()).isZero();
        assertThat(outcome.views()).isEqualTo(1);
    }

    /** Clocks that are off by more than the way of a batch hide who was first, and harm no correct primary. */
    @Test
    void shouldNotSuspectACorrectPrimaryHoweverClocksDiffer() {
        Outcome outcome = run(Fault.NONE, true, 500 * MS);

        assertThat(outcome.views()).isZero();
    }

    /** Of a faulty primary, liars about times, crashes, losses and delays. */
    @Test
    void shouldKeepEveryInvariantAndRecoverWithFairOrder() {
        long blocks = 0;
        for (long seed = 0; seed < 20; seed++) {
            blocks += new Simulation(ScenarioKind.FAIR.of(seed), null).run().blocks();
        }

        assertThat(blocks).isGreaterThan(400);
    }

    @Test
    void shouldPrintATable() {
        StringWriter out = new StringWriter();

        int exitCode = SimulatorTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute("front-running", "--runs", "1", "--cases", "1");

        assertThat(exitCode).isZero();
        assertThat(out.toString().lines())
                .hasSize(5)
                .last()
                .asString()
                .startsWith("front-running  fair       1      0");
    }
}
