package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionTurnsTest {
    private static int[] shares(int countMax, int first, long... waiting) {
        return SessionTurns.shares(waiting, countMax, first);
    }

    @Test
    void shouldDealEqualSharesAndGiveTheRestToThoseWhoHaveMore() {
        assertThat(shares(9, 0, 5, 5, 5)).containsExactly(3, 3, 3);
        assertThat(shares(9, 0, 1, 100, 2)).containsExactly(1, 6, 2);
        assertThat(shares(100, 0, 1, 7, 2)).containsExactly(1, 7, 2);
        assertThat(shares(5, 0, 0, 0, 0)).containsExactly(0, 0, 0);
        assertThat(shares(5, 0)).isEmpty();
    }

    @Test
    void shouldServeFirstWhoseTurnItIs() {
        assertThat(shares(2, 0, 5, 5, 5)).containsExactly(1, 1, 0);
        assertThat(shares(2, 1, 5, 5, 5)).containsExactly(0, 1, 1);
        assertThat(shares(2, 2, 5, 5, 5)).containsExactly(1, 0, 1);
        assertThat(shares(4, 2, 5, 5, 5)).containsExactly(1, 1, 2);
        assertThat(shares(1, 1, 5, 0, 5)).as("it has none").containsExactly(0, 0, 1);
    }

    /** One session after the other, one batch at a time. */
    @Test
    void shouldDealAsOneByOne() {
        Random random = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            long[] waiting = random.longs(1 + random.nextInt(6), 0, 12).toArray();
            int countMax = 1 + random.nextInt(30);
            int first = random.nextInt(waiting.length);
            int[] expected = new int[waiting.length];
            int left = (int) Math.min(countMax, Arrays.stream(waiting).sum());
            for (int i = first; left > 0; i++) {
                int session = i % waiting.length;
                if (expected[session] < waiting[session]) {
                    expected[session]++;
                    left--;
                }
            }
            assertThat(SessionTurns.shares(waiting, countMax, first))
                    .as("round %d", round)
                    .isEqualTo(expected);
        }
    }

    private static List<String> inOrder(long sequence, int... counts) {
        List<String> order = new ArrayList<>();
        SessionTurns.inOrder(counts, sequence, (session, index) -> order.add((char) ('a' + session) + "" + index));
        return order;
    }

    @Test
    void shouldNameBatchesInTurn() {
        assertThat(inOrder(3, 2, 1, 3)).containsExactly("a0", "b0", "c0", "a1", "c1", "c2");
        assertThat(inOrder(4, 2, 1, 3)).containsExactly("b0", "c0", "a0", "c1", "a1", "c2");
        assertThat(inOrder(5, 2, 1, 3)).containsExactly("c0", "a0", "b0", "c1", "a1", "c2");
        assertThat(inOrder(Long.MAX_VALUE, 1)).containsExactly("a0");
        assertThat(inOrder(1)).isEmpty();
    }
}
