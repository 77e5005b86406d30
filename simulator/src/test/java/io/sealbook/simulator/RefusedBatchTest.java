package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.vocabulary.BatchPosition;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A broker hands one version of a batch to two members, the primary among them, and another version to the other two.
 * Those refuse the first version when its copies come. The primary, which does not know, proposes it. All members are
 * correct.
 */
class RefusedBatchTest {
    private static final long MS = 1_000_000L;
    private static final int SEEDS = 8;
    private static final long HANDED_IN_NS = 100 * MS;
    /** The first member that gets the second version. */
    private static final int OTHERS_FROM = 2;

    private static final int CHEATER = 1;
    private static final int SOUND = 2;
    private static final long VALID_UNTIL_BLOCK = 9_000;

    private static Scenario scenarioOf(long seed) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        return new Scenario(
                seed,
                faults.length,
                0,
                8,
                8,
                16,
                64,
                SOUND,
                5_000 * MS,
                0,
                0,
                MS,
                0,
                false,
                false,
                false,
                false,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    /** The broker takes its verdicts and does nothing. */
    private static final class Broker implements BatchSource {
        @Override
        public int peer() {
            return BROKER;
        }

        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // It has what it wanted.
        }

        @Override
        public void onVerdictsEnd() {
            // Nothing was kept back.
        }
    }

    /** A cluster, and a batch of a sound broker that has its block only if the proposal before it is voted for. */
    private static final class Cluster extends Simulation {
        private final SplittableRandom ofBatches;
        private long serial;

        Cluster(long seed) {
            super(scenarioOf(seed), null);
            ofBatches = new SplittableRandom(seed);
            Batch first = make(CHEATER);
            Batch second = make(CHEATER);
            for (int node = 0; node < scenario().replicaCount(); node++) {
                handIn(node, HANDED_IN_NS, node < OTHERS_FROM ? first : second);
            }
            handIn(1, HANDED_IN_NS + 10 * MS, make(SOUND));
        }

        private Batch make(int broker) {
            Batch batch = Batch.of(
                    broker,
                    SimulatedMarket.keyIndex(scenario(), broker),
                    BatchPosition.first(1),
                    ++serial,
                    VALID_UNTIL_BLOCK,
                    ofBatches);
            checker().onMade(batch);
            return batch;
        }

        private void handIn(int node, long delayNs, Batch batch) {
            after(delayNs, () -> machineOf(node).orElseThrow().whileUp(life -> life.onSubmitted(batch, new Broker())));
        }

        /** What shows the primary that there are two versions is lost at first: it proposes the first one. */
        @Override
        boolean spreads(int from, int to) {
            return to >= OTHERS_FROM || from < OTHERS_FROM || nowNs() >= HANDED_IN_NS + 20 * MS;
        }

        @Override
        boolean isAdministered() {
            return false;
        }
    }

    /** A backup that takes the primary's answer for an old copy cannot vote: the broker would depose the primary. */
    @Test
    void shouldKeepAPrimaryThatProposesWhatTheOthersHaveRefused() {
        long blocks = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            Simulation.Result result = new Cluster(seed).run();

            assertThat(result.views()).as("view changes, seed %d", seed).isZero();
            blocks += result.blocks();
        }

        assertThat(blocks).as("a block of the cheater in some runs").isGreaterThan(SEEDS);
    }
}
