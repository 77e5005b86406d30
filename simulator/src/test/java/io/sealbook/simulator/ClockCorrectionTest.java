package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** All clocks are three hours fast, and are set right when the network heals: all batches come into blocks in time. */
class ClockCorrectionTest {
    private static final long LEAD_NS = TimeUnit.HOURS.toNanos(3);
    private static final long FIRST_SEED = 3_000_000;

    @Test
    void shouldGoOnWhenTheClocksOfAllAreSetRight() {
        long blocks = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
            blocks += new Simulation(Scenario.of(seed), null) {
                @Override
                long clockLeadNs() {
                    return isHealed() ? 0 : LEAD_NS;
                }
            }.run().blocks();
        }

        assertThat(blocks).isGreaterThan(100);
    }
}
