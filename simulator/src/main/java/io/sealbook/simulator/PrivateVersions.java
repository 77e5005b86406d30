package io.sealbook.simulator;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A cluster whose faulty member never speaks, and hands versions of one batch to the others in private (pitfall 21).
 * After that it gives a batch of a sound broker to one of them. The run ends when no correct member waits for a batch.
 */
final class PrivateVersions extends Simulation {
    private static final long MS = 1_000_000L;
    private static final int FAULTY = 3;
    private static final int CHEATER = 1;
    private static final int SOUND = 2;
    private static final long VALID_UNTIL_BLOCK = 9_000;

    private final SplittableRandom ofBatches;
    private long serial;

    private PrivateVersions(Scenario scenario) {
        super(scenario, null);
        ofBatches = new SplittableRandom(scenario.seed() ^ 0x7e25105L);
    }

    /**
     * Runs one cluster, in which the broker that signed twice comes to nothing and the sound one has its block.
     *
     * @param seed of the run
     * @param versions which version each correct member gets: letters from A on
     * @param isFair whether the chain has fair order
     * @throws SimulationFailure if the members go on waiting, another batch than the sound one is in the chain, or a
     *     primary is replaced
     */
    static void check(long seed, String versions, boolean isFair) {
        PrivateVersions cluster = new PrivateVersions(scenario(seed, isFair));
        cluster.handOut(versions);
        Digest sound = cluster.handOutSound();
        Result result = cluster.run();
        if (!cluster.checker().chain().equals(List.of(sound)) || result.views() > 0) {
            throw new SimulationFailure("versions " + versions + (isFair ? " with fair order" : "") + ", seed " + seed
                    + ": chain " + cluster.checker().chain() + " after " + result.views() + " view changes");
        }
    }

    /** Checks that it is so for three versions, and for two of which f+1 members hold one. */
    static void check(long seed) {
        check(seed, "ABC", false);
        for (String versions : List.of("ABC", "AAB", "ABA", "BAA")) {
            check(seed, versions, true);
        }
    }

    private static Scenario scenario(long seed, boolean isFair) {
        Fault[] faults = new Fault[FAULTY + 1];
        Arrays.fill(faults, Fault.NONE);
        faults[FAULTY] = Fault.MUTE;
        return new Scenario(
                seed,
                faults.length,
                0,
                8,
                8,
                16,
                64,
                SOUND,
                2_000 * MS,
                0,
                0,
                MS,
                0,
                false,
                false,
                false,
                isFair,
                ProposesAfter.DELIVERY,
                0,
                faults);
    }

    private void handOut(String versions) {
        List<Batch> made = new ArrayList<>();
        for (int node = 0; node < FAULTY; node++) {
            int version = versions.charAt(node) - 'A';
            while (made.size() <= version) {
                made.add(make(CHEATER));
            }
            handTo(node, 100 * MS, made.get(version));
        }
    }

    private Digest handOutSound() {
        Batch sound = make(SOUND);
        handTo(0, 200 * MS, sound);
        return sound.batchId();
    }

    private void handTo(int nodeId, long delayNs, Batch batch) {
        SimulatedNode node = machineOf(nodeId).orElseThrow();
        after(delayNs, () -> node.whileUp(life -> life.onPayload(FAULTY, batch.signed())));
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

    @Override
    boolean passes(int from, int to, Message vote) {
        return from != FAULTY && super.passes(from, to, vote);
    }

    @Override
    boolean spreads(int from, int to) {
        return from != FAULTY;
    }

    @Override
    boolean isAdministered() {
        return false;
    }
}
