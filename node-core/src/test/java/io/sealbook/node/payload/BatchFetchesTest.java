package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchFetchesTest {
    private static final long STATUS_PERIOD_NS = 200_000_000;

    private final BatchFetches fetches = new BatchFetches(4);

    @Test
    void shouldBoundWhatIsAskedForInVain() {
        int retries = 3_000;
        List<BatchRange> nowhere = ids(0, 250);
        int asked = 0;
        for (int i = 0; i < retries; i++) {
            asked += count(fetches.choose(nowhere, rotated(i), i * STATUS_PERIOD_NS));
        }

        // Of each of three holders: 5 times while the interval doubles, then once in 160 periods.
        assertThat(asked / nowhere.size()).isBetween(30, 3 * (5 + retries / 160));
    }

    /** Nobody delivers while one of them keeps silent: the next is asked in the next period. */
    @Test
    void shouldAskEveryHolderSoon() {
        List<BatchRange> id = ids(0, 1);
        List<Integer> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            // The preferred holder is always the same.
            asked.addAll(
                    fetches.choose(id, List.of(1, 2, 3), i * STATUS_PERIOD_NS).keySet());
        }

        assertThat(asked).containsExactly(1, 2, 3);
    }

    /** Its answer may wait in the ring of a busy node: asking again would only add to it. */
    @Test
    void shouldAskAgainAtGrowingIntervals() {
        List<BatchRange> id = ids(0, 1);
        List<Integer> periods = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            if (!fetches.choose(id, List.of(1, 2, 3), i * STATUS_PERIOD_NS).isEmpty()) {
                periods.add(i);
            }
        }

        // 150, 300, 600 ms, then 1 s, each from the next STATUS period on; then every holder waits for its own
        // interval.
        assertThat(periods).containsExactly(0, 1, 3, 10, 15, 20);
    }

    /** Agreement asks f+1 holders at one instant: one of them is correct. */
    @Test
    void shouldAskMoreThanAreFaultyAtOneInstant() {
        List<BatchRange> id = ids(0, 1);

        assertThat(fetches.choose(id, List.of(1), 0)).isEqualTo(Map.of(1, id));
        assertThat(fetches.choose(id, List.of(1), 0)).isEmpty();
        assertThat(fetches.choose(id, List.of(2), 0)).isEqualTo(Map.of(2, id));
        assertThat(fetches.choose(id, List.of(3), 0)).isEmpty();
        assertThat(fetches.choose(id, List.of(3), 1)).isEmpty();
    }

    /** Its last batches are here: the others are on their way. */
    @Test
    void shouldNotAskAnewForWhatIsLeftOfARangeWhoseAnswerArrives() {
        BatchRange whole = range(1, 40, 4);
        assertThat(fetches.choose(List.of(whole), List.of(1), 0)).isEqualTo(Map.of(1, List.of(whole)));

        List<Long> times = new ArrayList<>();
        for (int left = 39; left > 4; left--) {
            long nowNs = (40 - left) * 30_000_000L;
            if (!fetches.choose(List.of(range(1, left, 4)), List.of(1, 2, 3), nowNs)
                    .isEmpty()) {
                times.add(nowNs / 1_000_000);
            }
        }

        assertThat(times).as("milliseconds").containsExactly(150L, 450L, 1_050L);
    }

    @Test
    void shouldAskAtOnceForWhatFollows() {
        fetches.choose(List.of(range(1, 40, 4)), List.of(1), 0);

        assertThat(fetches.choose(List.of(range(1, 50, 40)), List.of(1), 1)).isNotEmpty();
        assertThat(fetches.choose(List.of(range(1, 60, 4)), List.of(1), 2)).isNotEmpty();
        assertThat(fetches.choose(List.of(range(2, 30, 4)), List.of(1), 3)).isNotEmpty();
    }

    private static BatchRange range(long session, int last, int after) {
        return new BatchRange(
                new SessionEnd(session, last, Digest.sha256(new byte[] {(byte) session, (byte) last})),
                after,
                Digest.sha256(new byte[] {(byte) session, (byte) after}));
    }

    /** It answered, and is not to blame: it is asked again as soon as anybody is. */
    @Test
    void shouldAskAgainSoonForWhatThereWasNoRoom() {
        List<BatchRange> id = ids(0, 1);
        fetches.choose(id, List.of(2), 0);
        assertThat(fetches.choose(id, List.of(2), STATUS_PERIOD_NS)).isEmpty();

        fetches.onDropped(2, id.getFirst().last().id());

        assertThat(fetches.choose(id, List.of(2), STATUS_PERIOD_NS / 2)).isEmpty();
        assertThat(fetches.choose(id, List.of(2), STATUS_PERIOD_NS)).isEqualTo(Map.of(2, id));
        fetches.onDropped(2, id(17));
        fetches.onDropped(1, id.getFirst().last().id());
        assertThat(fetches.choose(id, List.of(2), 4 * STATUS_PERIOD_NS)).isEmpty();
    }

    @Test
    void shouldAskAgainAtOnceWhoIsConnectedAnew() {
        List<BatchRange> id = ids(0, 1);
        long nowNs = 0;
        for (int i = 0; i < 1_000; i++, nowNs += STATUS_PERIOD_NS) {
            fetches.choose(id, List.of(1, 2), nowNs);
        }
        nowNs += BatchFetches.GAP_MAX_NS;
        fetches.choose(id, List.of(1, 2), nowNs);
        nowNs += BatchFetches.GAP_MAX_NS;
        assertThat(fetches.choose(id, List.of(1, 2), nowNs)).isEmpty();

        fetches.onConnected(2);

        assertThat(fetches.choose(id, List.of(1, 2), nowNs)).isEqualTo(Map.of(2, id));
    }

    @Test
    void shouldAskForNoMoreThanAPeerAnswersAndForTheRestLater() {
        List<BatchRange> many = ids(0, 3 * BatchFetches.BATCHES_PER_REQUEST_MAX);

        Map<Integer, List<BatchRange>> first = fetches.choose(many, List.of(2), 0);
        Map<Integer, List<BatchRange>> second = fetches.choose(many, List.of(2), STATUS_PERIOD_NS);

        assertThat(first.get(2)).isEqualTo(many.subList(0, BatchFetches.BATCHES_PER_REQUEST_MAX));
        assertThat(second.get(2))
                .hasSize(BatchFetches.BATCHES_PER_REQUEST_MAX)
                .doesNotContainAnyElementsOf(first.get(2));
    }

    @Test
    void shouldNotGrowWithoutBound() {
        for (int i = 0; i < 40; i++) {
            fetches.choose(ids(i * 2_000, 2_000), List.of(1), i);
        }

        // The first were forgotten, the last are known.
        assertThat(count(fetches.choose(ids(78_000, 2_000), List.of(1), 41))).isZero();
        assertThat(count(fetches.choose(ids(0, 1), List.of(1), 41))).isEqualTo(1);
    }

    private static List<Integer> rotated(int by) {
        return IntStream.range(0, 3).map(i -> 1 + (i + by) % 3).boxed().toList();
    }

    private static int count(Map<Integer, List<BatchRange>> chosen) {
        return chosen.values().stream().mapToInt(Collection::size).sum();
    }

    private static List<BatchRange> ids(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> new BatchRange(new SessionEnd(i, 1, id(i)), 0, Digest.ZERO))
                .toList();
    }

    private static Digest id(int number) {
        return Digest.sha256(ByteBuffer.allocate(4).putInt(number).array());
    }
}
