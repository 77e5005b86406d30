package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs in which an engine is wrong keep every invariant, and its node takes part again in the end. */
class EngineErrorsTest {
    private static final int RUNS = 12;

    @Test
    void shouldIsolateTheNodeUntilItsEngineIsRebuilt() {
        long isolations = 0;
        long returns = 0;
        int runs = 0;
        for (long seed = 4_000_000; runs < RUNS; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (scenario.hasWrongEngine()) {
                EngineErrors engine =
                        new Simulation(scenario, null).run().machines().engineErrors();
                isolations += engine.isolationCount();
                returns += engine.returnCount();
                runs++;
            }
        }

        System.out.println(RUNS + " runs, " + isolations + " isolations, " + returns + " ended");
        assertThat(returns).isGreaterThan(RUNS / 2);
        assertThat(isolations).as("a restart tells of it again").isGreaterThan(returns);
    }
}
