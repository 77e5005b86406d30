package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Runs in which disks change old blocks and certificates end with equal archives; how often repairs began, and where.
 */
class BitRotTest {
    private static final int RUNS = 24;

    @Test
    void shouldEndWithEqualArchives() {
        long changed = 0;
        long changedCertificates = 0;
        long repairs = 0;
        long certificateRepairs = 0;
        long startRepairs = 0;
        long misdirected = 0;
        int runs = 0;
        for (long seed = 2_000_000; runs < RUNS; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (scenario.hasRot()) {
                Simulation.Result result = new Simulation(scenario, null).run();
                changed += result.machines().rot().changedCount();
                changedCertificates += result.machines().rot().changedCertificateCount();
                misdirected += result.machines().rot().misdirectedCount();
                repairs += result.repairs();
                certificateRepairs += result.certificateRepairs();
                startRepairs += result.startRepairs();
                runs++;
            }
        }

        System.out.println(RUNS + " runs: " + changed + " blocks changed, " + repairs + " repaired, " + startRepairs
                + " starts waited for them; " + changedCertificates + " certificates changed, " + certificateRepairs
                + " repaired; " + misdirected + " of them overwritten by another one");
        assertThat(changed).isGreaterThan(RUNS);
        assertThat(changedCertificates).isGreaterThan(RUNS);
        assertThat(misdirected).isPositive();
        assertThat(repairs).isPositive();
        assertThat(certificateRepairs).isPositive();
        assertThat(startRepairs).isPositive();
    }
}
