package io.sealbook.node.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.membership.Membership;
import io.sealbook.node.member.TestMembers;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.spread.Spreading;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A node that is behind asks again for the batches whose keys it did not know. */
class EarlyBatchesTest {
    private final TestMembers members = new TestMembers();
    private final BrokerRegistry registry = new BrokerRegistry(members.after());
    private final Map<Integer, List<BatchRange>> requested = new TreeMap<>();
    private final Spreading spreading =
            new Spreading(0, 4, PayloadRoute.DIRECT, new PayloadStore(1 << 20, 4, 0), new Asked(), new NoEvents(), 1);
    private final Sessions sessions = new Sessions();
    private final EarlyBatches early = new EarlyBatches(registry, sessions, spreading, new Asked());

    @Test
    void shouldAskEachPeerForItsBatchesAfterAChange() {
        early.note(slot(2, 1, registry.present()));
        early.note(slot(2, 2, registry.present()));
        early.note(slot(3, 1, registry.present()));
        assertThat(requested).isEmpty();

        early.askAgain();

        assertThat(requested.get(2)).containsExactly(range(1), range(2));
        assertThat(requested.get(3)).containsExactly(range(1));
        requested.clear();
        early.askAgain();
        assertThat(requested).isEmpty();
    }

    @Test
    void shouldAskAtOnceIfTheTermsChangedWhileTheBatchWasJudged() {
        DoorTerms before = registry.present();
        registry.become(after());

        early.note(slot(2, 1, before));

        assertThat(requested.get(2)).containsExactly(range(1));
    }

    @Test
    void shouldAskAtOnceIfTheTransactionBeforeCameMeanwhile() {
        IngressSlot slot = slot(2, 2, registry.present());
        slot.sessionKey = SessionKey.of(SessionKey.ADMINISTRATION, 0);
        early.note(slot);
        assertThat(requested).isEmpty();

        sessions.delivered(slot.sessionKey, 1, before(2));
        early.note(slot);

        assertThat(requested.get(2)).hasSize(1);
    }

    @Test
    void shouldTakeTheNextCopyAsNews() {
        Digest id = id(1);
        assertThat(spreading.isNews(2, id, 0)).isTrue();
        assertThat(spreading.isNews(2, id, 0)).isFalse();

        early.note(slot(2, 1, registry.present()));

        assertThat(spreading.isNews(2, id, 0)).isTrue();
    }

    @Test
    void shouldRememberAFewOfEachPeer() {
        for (int number = 1; number <= 2 * EarlyBatches.OF_PEER_MAX; number++) {
            early.note(slot(2, number, registry.present()));
        }
        early.note(slot(3, 1, registry.present()));

        early.askAgain();

        assertThat(requested.get(2)).hasSize(EarlyBatches.OF_PEER_MAX);
        assertThat(requested.get(3)).hasSize(1);
    }

    private Membership after() {
        return members.after(TestMembers.status(BrokerStatus.BROKER_SUSPENDED));
    }

    private static Digest id(int number) {
        return Digest.sha256(new byte[] {(byte) number, (byte) (number >> 8)});
    }

    private static BatchRange range(int number) {
        return new BatchRange(new SessionEnd(SessionKey.of(7, 0), number, id(number)), number - 1L, before(number));
    }

    private static Digest before(int number) {
        return number == 1 ? Digest.ZERO : id(number - 1);
    }

    private static IngressSlot slot(int peer, int number, DoorTerms terms) {
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(new Peer(peer), 0, new byte[0], id(number), 0));
        slot.sessionKey = SessionKey.of(7, 0);
        slot.position = new BatchPosition(0, number, before(number));
        slot.terms = terms;
        return slot;
    }

    private record Peer(int peer) implements BatchSource {
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            // None is given here.
        }

        @Override
        public void onVerdictsEnd() {
            // None is given here.
        }
    }

    private final class Asked implements Peers {
        @Override
        public void requestBatches(int to, List<BatchRange> ranges) {
            requested.computeIfAbsent(to, peer -> new ArrayList<>()).addAll(ranges);
        }

        @Override
        public void send(int to, Message message) {
            throw new AssertionError("sends " + message);
        }

        @Override
        public void broadcast(Message message) {
            throw new AssertionError("sends " + message);
        }

        @Override
        public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
            throw new AssertionError("sends " + batchId);
        }

        @Override
        public void broadcastPayload(Digest batchId, byte[] signedBatch) {
            throw new AssertionError("sends " + batchId);
        }

        @Override
        public void requestBlocks(int to, long from, int count) {
            throw new AssertionError("asks for blocks");
        }

        @Override
        public Set<Integer> connected() {
            return Set.of(1, 2, 3);
        }

        @Override
        public void discardThrough(long stableSequence) {
            throw new AssertionError("discards");
        }
    }
}
