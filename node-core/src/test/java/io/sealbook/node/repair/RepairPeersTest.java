package io.sealbook.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepairPeersTest {
    private static final Set<Integer> CONNECTED = Set.of(1, 2, 3);
    private static final long RETRY_NS = 1_000;

    private final RepairPeers peers = new RepairPeers(RETRY_NS);
    private long nowNs;

    /** Returns who is asked in four turns. */
    private List<Integer> asked(long sequence) {
        return IntStream.range(0, 4)
                .mapToObj(turn -> peers.peerFor(sequence, CONNECTED, nowNs))
                .flatMap(Optional::stream)
                .toList();
    }

    @Test
    void shouldAskASilentPeerWhenAllAreSilent() {
        peers.onSilence(2);
        assertThat(asked(5)).hasSize(4).containsOnly(1, 3);

        peers.onSilence(1);
        peers.onSilence(3);

        assertThat(asked(5)).hasSize(4).contains(1, 2, 3);
    }

    @Test
    void shouldAskAPeerAgainThatHasAnswered() {
        peers.onSilence(2);

        peers.onAnswer(2);

        assertThat(asked(5)).hasSize(4).contains(1, 2, 3);
    }

    @Test
    void shouldAskAPeerThatWasWrongForOtherBlocksOnly() {
        peers.refuse(5, 2, nowNs);

        assertThat(asked(5)).hasSize(4).containsOnly(1, 3);
        assertThat(asked(6)).hasSize(4).contains(1, 2, 3);

        peers.refuse(5, 1, nowNs);
        peers.refuse(5, 3, nowNs);
        assertThat(asked(5)).isEmpty();
        peers.forget(5);
        assertThat(asked(5)).hasSize(4).contains(1, 2, 3);
    }

    @Test
    void shouldAskPeersThatWereAllWrongAgainAfterAWhile() {
        peers.refuse(5, 1, nowNs);
        peers.refuse(5, 2, nowNs);
        nowNs += RETRY_NS;
        assertThat(asked(5)).hasSize(4).containsOnly(3);

        peers.refuse(5, 3, nowNs);
        nowNs += RETRY_NS - 1;
        assertThat(asked(5)).isEmpty();

        nowNs++;
        assertThat(asked(5)).hasSize(4).contains(1, 2, 3);
    }
}
