package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenBatchesTest {
    private static final int VALIDITY_BLOCKS_MAX = 50;
    private static final int BATCHES_MAX = 6_000;

    private record Key(int session, long number) {}

    /** Numbers in turn, some across the largest number there is, and at random; the table grows from room for 1,024. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3, -9})
    void shouldRememberEachUntilItsLastBlock(long seed) {
        SeenBatches seen = new SeenBatches(VALIDITY_BLOCKS_MAX, BATCHES_MAX, seed);
        Map<Key, Long> expected = new HashMap<>();
        Random random = new Random(5 + seed);
        long[] next = {Long.MAX_VALUE - 3_000, -2_000, 1L << 40};
        int most = 0;
        for (long block = 1; block <= 400; block++) {
            long now = block;
            seen.forget(block - 1);
            expected.values().removeIf(last -> last < now);
            for (int i = 0; i < 150 && !seen.isFull(); i++) {
                int broker = random.nextInt(next.length);
                Key key = new Key(broker, random.nextInt(5) == 0 ? random.nextLong() : next[broker]++);
                assertThat(seen.contains(key.session, key.number)).isEqualTo(expected.containsKey(key));
                if (expected.putIfAbsent(key, now + random.nextInt(VALIDITY_BLOCKS_MAX + 1)) == null) {
                    seen.add(key.session, key.number, expected.get(key));
                }
            }
            assertThat(seen.count()).isEqualTo(expected.size());
            expected.keySet()
                    .forEach(key ->
                            assertThat(seen.contains(key.session, key.number)).isTrue());
            most = Math.max(most, seen.count());
        }
        assertThat(most).isGreaterThan(3_000);
        List<Key> forgotten = new ArrayList<>();
        for (int broker = 0; broker < next.length; broker++) {
            for (long back = 1; back < 100; back++) {
                forgotten.add(new Key(broker, next[broker] - 10_000 - back));
            }
        }
        assertThat(forgotten).noneMatch(key -> seen.contains(key.session, key.number));
    }
}
