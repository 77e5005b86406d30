package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.port.NoEvents;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TransferPeersTest {
    private static final Set<Integer> CONNECTED = Set.of(1, 2, 3);
    private static final int LIAR = 1;

    private final TransferPeers peers = new TransferPeers(16, new NoEvents());

    /** Chains failed because of the liar until it was found. */
    @Test
    void shouldAvoidASuspectWhateverFailedBeforeItWasOne() {
        breakChains(3);
        peers.refuse(LIAR, 1, "a fault");

        breakChains(1);

        assertThat(asked()).doesNotContain(LIAR);
    }

    @Test
    void shouldAskASuspectAgainIfTheOthersProveNothing() {
        peers.refuse(LIAR, 1, "a fault");

        breakChains(3);

        assertThat(asked()).contains(LIAR);
    }

    private void breakChains(int count) {
        for (int i = 0; i < count; i++) {
            peers.choose(CONNECTED);
            peers.onBroken(2);
        }
    }

    private Set<Integer> asked() {
        peers.choose(CONNECTED);
        Set<Integer> asked = new HashSet<>();
        for (int i = 0; i < 2 * CONNECTED.size(); i++) {
            // Beyond what one peer alone is asked for.
            asked.add(peers.next(1 << 30));
        }
        return asked;
    }
}
