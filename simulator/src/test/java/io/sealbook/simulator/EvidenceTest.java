package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * Who signs twice is proven, in whole clusters; that nobody else is, the {@link Checker} sees to in every run of every
 * test.
 */
class EvidenceTest {
    private static final long MS = 1_000_000L;

    /** The cluster is well but for its member, which is the first primary. */
    private static Simulation.Result run(Fault fault, int member, long seed) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        faults[member] = fault;
        Scenario scenario = new Scenario(
                seed,
                faults.length,
                60,
                4,
                4,
                8,
                32,
                3,
                5_000 * MS,
                0,
                0,
                10 * MS,
                0,
                false,
                true,
                false,
                false,
                ProposesAfter.DELIVERY,
                0,
                faults);
        return new Simulation(scenario, null) {
            @Override
            boolean isAdministered() {
                return false;
            }
        }.run();
    }

    /**
     * Its halves of the cluster learn of each other's proposals by what correct nodes pass on. A node whose window has
     * moved on by then finds nothing.
     */
    @Test
    void shouldProveThatAPrimaryProposesTwoBlocksUnderOneNumber() {
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(run(Fault.EQUIVOCATE, 0, seed).evidence())
                    .as("times that a correct node found evidence, seed %d", seed)
                    .isBetween(1L, 3L);
        }
    }

    @Test
    void shouldFindNothingWhereNobodySignsTwice() {
        for (Fault fault : new Fault[] {Fault.NONE, Fault.MUTE, Fault.SLOW_PRIMARY, Fault.STARVING}) {
            assertThat(run(fault, 0, 7).evidence()).as("%s", fault).isZero();
        }
    }
}
