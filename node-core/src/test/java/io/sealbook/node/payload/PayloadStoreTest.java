package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.node.payload.PayloadStore.Outcome;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadStoreTest {
    /** Room for four payloads, one for each origin and two for each of the others. */
    private final PayloadStore store = new PayloadStore(4 * 1_200, 4, 0);

    @Test
    void shouldGiveEachOriginItsShare() {
        assertThat(store.put(payload(1, 0))).isEqualTo(Outcome.STORED);
        assertThat(store.put(payload(2, 0))).isEqualTo(Outcome.FULL);
        assertThat(store.put(payload(3, 1))).isEqualTo(Outcome.STORED);
        assertThat(store.put(payload(4, 1))).isEqualTo(Outcome.STORED);
        assertThat(store.put(payload(5, 1))).isEqualTo(Outcome.FULL);

        assertThat(store.put(payload(1, 0))).isEqualTo(Outcome.PRESENT);
        store.remove(id(1));
        assertThat(store.put(payload(2, 0))).isEqualTo(Outcome.STORED);
        assertThat(store.count()).isEqualTo(3);
        assertThat(store.bytes()).isEqualTo(3 * 1_200);
    }

    @Test
    void shouldAlwaysTakeWhatWasProposed() {
        store.put(payload(1, 1));
        store.put(payload(2, 1));

        store.want(List.of(id(3)));

        assertThat(store.put(payload(3, 1))).isEqualTo(Outcome.STORED);
        assertThat(store.isWanted(id(3))).isFalse();
        assertThat(store.put(payload(4, 1))).isEqualTo(Outcome.FULL);
    }

    @Test
    void shouldNotWantWhatIsHere() {
        store.put(payload(1, 0));

        store.want(List.of(id(1), id(2)));

        assertThat(store.isWanted(id(1))).isFalse();
        assertThat(store.isWanted(id(2))).isTrue();
    }

    /** Its origin was removed since it was taken. */
    @Test
    void shouldRestoreWhatCameFromARemovedMember() {
        store.restore(payload(1, 4));

        assertThat(store.contains(id(1))).isTrue();
        assertThat(store.put(payload(2, 0))).as("it takes this member's share").isEqualTo(Outcome.FULL);
        store.remove(id(1));
        assertThat(store.put(payload(2, 0))).isEqualTo(Outcome.STORED);
    }

    private static Payload payload(int number, int origin) {
        return new Payload(
                id(number), new byte[1_000], 1, new BatchPosition(0, number, Digest.ZERO), 10, 1, origin, 0, 0);
    }

    private static Digest id(int number) {
        return Digest.sha256(new byte[] {(byte) number});
    }
}
