package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All clocks are fast, and are set right when the network heals: all batches come into blocks in time. */
class ClockCorrectionTest {
    private static final long FIRST_SEED = 3_000_000;

    /**
     * Clocks that were hours ahead stay behind the last block; of those that were seconds ahead some soon come past it.
     */
    @ParameterizedTest
    @ValueSource(longs = {8, 10_800})
    void shouldGoOnWhenTheClocksOfAllAreSetRight(long leadSeconds) {
        long blocks = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 10; seed++) {
            blocks += new Simulation(Scenario.of(seed), null) {
                @Override
                long clockLeadNs() {
                    return isHealed() ? 0 : TimeUnit.SECONDS.toNanos(leadSeconds);
                }
            }.run().blocks();
        }

        assertThat(blocks).isGreaterThan(100);
    }
}
