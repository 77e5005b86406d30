package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionTurnsTest {
    /** Broker 1 has the sessions a and b, broker 2 has c, the largest broker id has d. */
    private static final long[] KEYS = {
        SessionKey.of(1, 0), SessionKey.of(1, 5), SessionKey.of(2, 0), SessionKey.of(-1, 3)
    };

    private final SessionTurns.LastServed last = new SessionTurns.LastServed();

    private static List<String> all(SessionTurns turns, int countMax) {
        List<String> order = new ArrayList<>();
        turns.deal(countMax, (place, index) -> order.add((char) ('a' + place) + "" + index));
        return order;
    }

    private static List<String> inOrder(long sequence, long... counts) {
        return all(SessionTurns.ofBlock(KEYS, counts, sequence), 100);
    }

    @Test
    void shouldServeBrokersInTurnAndTheirSessionsInTurn() {
        assertThat(inOrder(6, 2, 2, 3, 1)).containsExactly("a0", "c0", "d0", "b0", "c1", "a1", "c2", "b1");
    }

    @Test
    void shouldBeginWithAnotherBrokerAndSessionInEachBlock() {
        assertThat(inOrder(1, 1, 1, 1, 1)).containsExactly("c0", "d0", "b0", "a0");
        assertThat(inOrder(2, 1, 1, 1, 1)).containsExactly("d0", "a0", "c0", "b0");
        assertThat(inOrder(3, 1, 1, 1, 1)).containsExactly("b0", "c0", "d0", "a0");
        assertThat(inOrder(Long.MAX_VALUE, 0, 0, 2, 0)).containsExactly("c0", "c1");
        assertThat(inOrder(1, 0, 0, 0, 0)).isEmpty();
    }

    @Test
    void shouldDealNoMoreThanThereIsRoomForAndNotPassASessionOver() {
        List<String> served = new ArrayList<>();
        for (int block = 0; block < 6; block++) {
            SessionTurns.after(KEYS, new long[] {9, 9, 9, 9}, last).deal(2, (place, index) -> {
                served.add((char) ('a' + place) + "");
                last.set(KEYS[place]);
            });
        }
        assertThat(served).containsExactly("a", "c", "d", "b", "c", "d", "a", "c", "d", "b", "c", "d");
    }

    /** A broker that opens many sessions gets as much as one with a single session. */
    @Test
    void shouldGiveABrokerNoMoreForItsSessions() {
        long[] keys = new long[17];
        long[] counts = new long[17];
        for (int i = 0; i < 17; i++) {
            keys[i] = i < 16 ? SessionKey.of(1, i) : SessionKey.of(2, 0);
            counts[i] = 50;
        }
        int[] served = new int[2];
        SessionTurns.after(keys, counts, last).deal(40, (place, index) -> served[place / 16]++);

        assertThat(served).containsExactly(20, 20);
    }
}
