package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Faulty members are as bad as their names say. */
class FaultTest {
    private static final long MS = 1_000_000L;
    private static final int FAULTY = 1;

    private static Scenario scenario(Fault fault) {
        Fault[] faults = new Fault[4];
        Arrays.fill(faults, Fault.NONE);
        faults[FAULTY] = fault;
        return new Scenario(
                3,
                faults.length,
                200,
                4,
                4,
                8,
                32,
                3,
                10_000 * MS,
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
    }

    /** What was on its way arrives within a second. */
    @Test
    void shouldHearNothingOfAMuteMember() {
        List<Boolean> arrived = new ArrayList<>();
        new Simulation(scenario(Fault.MUTE), null) {
            @Override
            int batchesPerBurst() {
                return 10;
            }

            @Override
            boolean enterRing(SimulatedNode node, int sender, Object holder, long delayNs, Runnable admission) {
                if (sender == FAULTY) {
                    arrived.add(machineOf(FAULTY).orElseThrow().adversary.isMute(nowNs() - 1_000 * MS));
                }
                return super.enterRing(node, sender, holder, delayNs, admission);
            }
        }.run();

        assertThat(arrived)
                .as("batches of the member, whether it was mute")
                .isNotEmpty()
                .doesNotContain(true);
    }

    /** Each machine of a twin is in a part of the network, and both are in one when the network is whole. */
    @Test
    void shouldDivideTwins() {
        Scenario scenario = scenario(Fault.TWIN);
        Network network = new Network(scenario, new SplittableRandom(1));
        int twin = Network.twinPlace(scenario);
        Set<Boolean> together = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            network.split();
            together.add(network.isConnected(FAULTY, twin));
        }
        network.isolate(FAULTY);

        assertThat(together).containsExactlyInAnyOrder(true, false);
        assertThat(network.isConnected(twin, 0)).isTrue();
        assertThat(network.isConnected(twin, FAULTY)).isFalse();

        network.joinAll();

        assertThat(network.isConnected(twin, FAULTY)).isTrue();
    }

    @Test
    void shouldVoteInTheNamesOfAllOthers() {
        Adversary liar = new Adversary(FAULTY, Fault.LIE, scenario(Fault.LIE), new SplittableRandom(1));
        liar.enter(Epoch.first(SimulatedMarket.CHAIN_ID), ToySignatures.signer(FAULTY));
        Digest digest = Digest.sha256(new byte[] {1});

        assertThat(sendersOf(liar, new Prepare(0, 1, digest, FAULTY, Signature.of(new byte[64]))))
                .containsExactlyInAnyOrder(0, 1, 2, 3);
        assertThat(sendersOf(liar, new Commit(0, 1, digest, FAULTY))).containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    private static Set<Integer> sendersOf(Adversary liar, Message vote) {
        return Stream.generate(() -> liar.rewrite(vote, 0, 0))
                .limit(1_000)
                .map(Message::sender)
                .collect(Collectors.toSet());
    }
}
