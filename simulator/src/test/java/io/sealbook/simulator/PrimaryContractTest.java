package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What brokers may expect of whoever is the primary, in whole clusters whose network and disks are well: it is replaced
 * when it stands still, is slow or starves a broker, and kept when only the links are slow. The REQUEST timeout of
 * these clusters is 1 s at first, its cap 8 s.
 */
class PrimaryContractTest {
    private static final long MS = 1_000_000L;
    private static final int PRIMARY = 0;

    /** One batch per block, handed in over the time given, and again for 120 s if they are not in a block then. */
    private static Scenario scenario(Fault ofPrimary, int batches, long ms) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        faults[PRIMARY] = ofPrimary;
        return new Scenario(
                1,
                faults.length,
                batches,
                1,
                8,
                16,
                64,
                3,
                ms * MS,
                0,
                0,
                2 * MS,
                0,
                false,
                false,
                false,
                false,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    /** A batch per 50 ms and burst of a second. */
    private static Simulation paced(Scenario scenario, long distanceNs) {
        return new Simulation(scenario, null) {
            @Override
            int batchesPerBurst() {
                return scenario.batchCount() / 20;
            }

            @Override
            Network network(SplittableRandom ofNetwork) {
                return new Network(scenario, ofNetwork) {
                    @Override
                    long distanceNs() {
                        return distanceNs;
                    }
                };
            }
        };
    }

    /** Half of the REQUEST timeout would be over before the next burst; heartbeats are missed for 100 ms. */
    @Test
    void shouldGoOnAtOnceWhenThePrimaryStandsStill() {
        Simulation simulation = paced(scenario(Fault.NONE, 200, 20_000), 0);
        long[] blocks = new long[2];
        simulation.after(4_990 * MS, () -> {
            blocks[0] = simulation.checker().height();
            simulation.machineOf(PRIMARY).orElseThrow().pause(9_000 * MS);
        });
        simulation.after(5_300 * MS, () -> blocks[1] = simulation.checker().height());

        Simulation.Result result = simulation.run();

        assertThat(blocks[0]).isPositive();
        assertThat(blocks[1]).as("0.3 s after the burst at 5 s").isGreaterThan(blocks[0]);
        assertThat(result.views()).isEqualTo(1);
    }

    /** A stall of each primary costs one view change at most; the next ones are within the bound. */
    @Test
    void shouldGetUsedToAMachineThatStallsNowAndThen() {
        Simulation simulation = paced(scenario(Fault.NONE, 400, 60_000), 0);
        for (long ms = 2_990; ms < 60_000; ms += 1_000) {
            simulation.after(
                    ms * MS,
                    () -> simulation
                            .machineOf(simulation.anyPrimary())
                            .orElseThrow()
                            .pause(150 * MS));
        }

        assertThat(simulation.run().views()).isLessThanOrEqualTo(4);
    }

    /** Half a second each way is more than the first timeouts allow; they grow, and views come to rest. */
    @Test
    void shouldNotSuspectForEverOverSlowLinks() {
        long early = paced(scenario(Fault.NONE, 200, 60_000), 500 * MS).run().views();
        long late = paced(scenario(Fault.NONE, 200, 240_000), 500 * MS).run().views();

        assertThat(late).isLessThanOrEqualTo(early + 1).isLessThan(12);
    }

    /** At its pace 300 blocks would last for 210 s at least. */
    @Test
    void shouldReplaceAPrimaryThatIsJustBelowTheTimeout() {
        Simulation.Result result =
                paced(scenario(Fault.SLOW_PRIMARY, 300, 60_000), 0).run();

        assertThat(result.views()).isPositive();
        assertThat(result.virtualNs()).isLessThan(100_000 * MS);
    }

    /** At its pace the third of 300 batches would last for 750 s. */
    @Test
    void shouldReplaceAPrimaryThatStarvesABroker() {
        Simulation.Result result =
                paced(scenario(Fault.STARVING, 300, 60_000), 0).run();

        assertThat(result.views()).isPositive();
        assertThat(result.virtualNs()).isLessThan(100_000 * MS);
    }

    /**
     * Once: a replica that entered the view late refused a proposal for its age, one other had delivered it, and their
     * primary, which waited too, could suspect nobody.
     */
    @Test
    void shouldRecoverWhenTooFewWaitToEndTheView() {
        assertThat(new Simulation(Scenario.of(5075), null).run().blocks()).isPositive();
    }
}
