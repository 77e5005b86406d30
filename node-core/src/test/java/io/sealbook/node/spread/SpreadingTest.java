package io.sealbook.node.spread;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is asked for, and what of the answers is taken, while the node has no room. */
class SpreadingTest {
    private static final long MS = 1_000_000;
    private static final int HOLDER = 2;
    private static final Digest LOST = Digest.sha256(new byte[] {1});

    private final List<Integer> askedOf = new ArrayList<>();
    private final Spreading spreading =
            new Spreading(0, 4, PayloadRoute.DIRECT, new PayloadStore(1 << 20, 4, 0), peers(), new NoEvents(), 1);

    private Peers peers() {
        return (Peers) Proxy.newProxyInstance(
                Peers.class.getClassLoader(), new Class<?>[] {Peers.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("requestBatches")) {
                        askedOf.add((int) arguments[0]);
                    }
                    return method.getReturnType() == Set.class ? Set.of(1, HOLDER, 3) : null;
                });
    }

    private void request(long nowNs) {
        spreading.request(List.of(new BatchRange(new SessionEnd(1, 1, LOST), 0, Digest.ZERO)), List.of(HOLDER), nowNs);
    }

    @Test
    void shouldAskAgainSoonAndTakeTheAnswerForWhichThereWasNoRoom() {
        request(0);
        assertThat(spreading.isNews(HOLDER, LOST, 1 * MS)).isTrue();

        spreading.onDropped(HOLDER, LOST);
        request(200 * MS);

        assertThat(askedOf).containsExactly(HOLDER, HOLDER);
        assertThat(spreading.isNews(HOLDER, LOST, 201 * MS)).isTrue();
    }

    @Test
    void shouldNotAskASilentHolderAgainSoon() {
        request(0);
        request(200 * MS);

        assertThat(askedOf).containsExactly(HOLDER);
    }

    /** A copy more would only lengthen the queue in which the first one is. */
    @Test
    void shouldAskForNoCopyOfWhatWaitsForAdmission() {
        spreading.isNews(1, LOST, 0);

        request(1 * MS);
        request(5_000 * MS);
        assertThat(askedOf).isEmpty();

        spreading.onDropped(1, LOST);
        request(5_001 * MS);
        assertThat(askedOf).containsExactly(HOLDER);
    }

    /** Its signature is no part of its id: what a faulty peer sends must not keep the true copy away for long. */
    @Test
    void shouldAskForWhatWasRefusedWhateverWaits() {
        spreading.isNews(1, LOST, 0);
        spreading.onDecided(1, LOST, false, 10 * MS);
        spreading.isNews(1, LOST, 3_000 * MS);
        spreading.isNews(3, LOST, 3_000 * MS);

        request(3_001 * MS);

        assertThat(askedOf).containsExactly(HOLDER);
    }

    /** A share that a faulty peer has filled must not hide the batch from honest holders. */
    @Test
    void shouldAskForWhatWasRefusedForLackOfRoomWhateverWaits() {
        spreading.isNews(1, LOST, 0);
        spreading.onDropped(1, LOST);
        spreading.onDecided(1, LOST, false, 10 * MS);
        spreading.isNews(1, LOST, 11 * MS);

        request(12 * MS);

        assertThat(askedOf).containsExactly(HOLDER);
    }

    /** A proposal that names it comes after the verdict: the answer must not be thrown away as a copy. */
    @Test
    void shouldTakeTheNextCopyOfWhatWasRefused() {
        assertThat(spreading.isNews(HOLDER, LOST, 0)).isTrue();
        assertThat(spreading.isNews(3, LOST, 0)).isTrue();
        assertThat(spreading.isNews(HOLDER, LOST, 1 * MS)).isFalse();

        spreading.onDecided(HOLDER, LOST, false, 10 * MS);
        request(11 * MS);

        assertThat(askedOf).containsExactly(HOLDER);
        assertThat(spreading.isNews(HOLDER, LOST, 12 * MS)).isTrue();
        assertThat(spreading.isNews(3, LOST, 12 * MS))
                .as("the copy of another waits still")
                .isFalse();
    }

    @Test
    void shouldTakeNoCopyOfWhatWasTakenInABlock() {
        assertThat(spreading.isNews(HOLDER, LOST, 0)).isTrue();

        spreading.onDecided(HOLDER, LOST, true, 10 * MS);

        assertThat(spreading.isNews(HOLDER, LOST, 12 * MS)).isFalse();
    }

    /** Its first batch may have been dropped although its last one waits. */
    @Test
    void shouldAskForARangeWhenItsLastBatchIsDecided() {
        BatchRange range = new BatchRange(new SessionEnd(1, 3, LOST), 0, Digest.ZERO);
        spreading.isNews(1, LOST, 0);

        spreading.request(List.of(range), List.of(HOLDER), 1 * MS);
        assertThat(askedOf).isEmpty();

        spreading.onDecided(1, LOST, true, 2 * MS);
        spreading.request(List.of(range), List.of(HOLDER), 3 * MS);
        assertThat(askedOf).containsExactly(HOLDER);
    }

    @Test
    void shouldCountNoVerdictWithoutAnId() {
        spreading.isNews(1, LOST, 0);

        spreading.onDecided(1, null, false, 1 * MS);
        request(2 * MS);

        assertThat(askedOf).isEmpty();
    }
}
