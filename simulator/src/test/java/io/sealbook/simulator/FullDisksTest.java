package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Runs in which disks are full for a while keep every invariant and recover; which files ended processes. */
class FullDisksTest {
    private static final int RUNS = 12;

    @Test
    void shouldRecoverWhereverADiskIsFull() {
        Set<String> ends = new TreeSet<>();
        long lateEvidence = 0;
        int runs = 0;
        for (long seed = 3_000_000; runs < RUNS; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (scenario.hasFullDisks()) {
                FullDisks disks =
                        new Simulation(scenario, null).run().machines().fullDisks();
                disks.ends().forEach(end -> ends.add(end.replaceAll("\\d+", "N")));
                lateEvidence += disks.lateEvidence();
                runs++;
            }
        }

        System.out.println(RUNS + " runs, evidence late " + lateEvidence + ", processes ended: " + ends);
        assertThat(String.join("; ", ends)).contains("/archive/", "/payload-log/", "/replica-log/");
        assertThat(lateEvidence).isPositive();
    }
}
