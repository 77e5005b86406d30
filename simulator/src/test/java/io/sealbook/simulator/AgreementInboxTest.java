package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A simulated cycle takes what {@code ReplicaAgent} takes, and learns of peers as from {@code PeerGate}. */
class AgreementInboxTest {
    private static final Message VOTE = new BatchAck(List.of(), 1);
    private static final Input INPUT = new Input.HandOver();
    private static final int MAX = AgreementInbox.TAKEN_PER_CYCLE;

    private final AgreementInbox inbox = new AgreementInbox();

    /** Returns what a core would be fed in one cycle. */
    private List<Object> cycle() {
        List<Object> fed = new ArrayList<>();
        inbox.drain(fed::add, fed::add);
        return fed;
    }

    @Test
    void shouldTakeAnInputBeforeAVoteThatCameEarlier() {
        inbox.put(VOTE);
        inbox.put(INPUT);

        assertThat(cycle()).containsExactly(INPUT, VOTE);
    }

    @Test
    void shouldBoundWhatACycleTakes() {
        for (int i = 0; i <= MAX; i++) {
            inbox.put(VOTE);
            inbox.put(INPUT);
        }
        List<Object> full = new ArrayList<>(Collections.nCopies(MAX, INPUT));
        full.addAll(Collections.nCopies(MAX, VOTE));

        assertThat(cycle()).isEqualTo(full);
        assertThat(inbox.isEmpty()).isFalse();
        assertThat(cycle()).containsExactly(INPUT, VOTE);
        assertThat(inbox.isEmpty()).isTrue();
    }

    @Test
    void shouldNotLearnOfPeersOfAnotherEpoch() {
        inbox.onConnected(1, false);
        inbox.onDisconnected(1);
        inbox.onConnected(2, true);
        inbox.onDisconnected(2);
        inbox.onDisconnected(2);

        assertThat(cycle()).containsExactly(new Input.Connected(2), new Input.Disconnected(2));
    }

    @Test
    void shouldLoseAPeerThatComesBackInAnotherEpoch() {
        inbox.onConnected(3, true);
        inbox.onConnected(3, false);
        inbox.onDisconnected(3);

        assertThat(cycle()).containsExactly(new Input.Connected(3), new Input.Disconnected(3));
    }
}
