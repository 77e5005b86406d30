package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CoverageTest {
    private static final int SEEDS = 40;

    /** What random scenarios hardly ever show: certificates of two views and two digests for one number. */
    @Test
    void shouldGuideRunsThroughViewsWithPartialPrepares() {
        Coverage coverage = new Coverage();
        long views = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            CoverageOfRun run = new CoverageOfRun();
            views += new Simulation(ScenarioKind.GUIDED.of(seed), null, run)
                    .run()
                    .views();
            coverage.add(run);
        }

        assertThat(views).isGreaterThan(3 * SEEDS);
        assertThat(coverage.seedsOf(Branch.NEW_VIEW_OF_TWO_VIEWS)).isPositive();
        assertThat(coverage.seedsOf(Branch.NEW_VIEW_OF_SOME)).isPositive();
        assertThat(coverage.lines()).last().asString().contains("of " + SEEDS + " seeds");
    }
}
