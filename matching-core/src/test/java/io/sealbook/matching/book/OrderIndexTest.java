package io.sealbook.matching.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderIndexTest {
    private static final int BROKERS = 5;
    private static final int ORDERS_MAX = 40_000;

    private final OrderStore store = new OrderStore(ORDERS_MAX);

    private record Key(int broker, long clOrdId) {}

    /**
     * Ids in turn, ids of which the last bits are equal, and ids at random come and go; segments are split, or become
     * longer where the directory may not grow.
     */
    @ParameterizedTest
    @CsvSource({"0, 15", "1, 15", "77, 2", "-5, 0"})
    void shouldFindWhatAMapFinds(long seed, int directoryBitsMax) {
        Random random = new Random(41 + seed);
        OrderIndex index = new OrderIndex(store, random.nextLong(), random.nextLong(), directoryBitsMax);
        Map<Key, Integer> expected = new HashMap<>();
        List<Key> live = new ArrayList<>();
        long next = -50;
        int most = 0;
        for (int step = 0; step < 200_000; step++) {
            boolean isFilling = step / 50_000 % 2 == 0;
            if (live.size() < ORDERS_MAX && random.nextInt(10) < (isFilling ? 7 : 3)) {
                long clOrdId = switch (random.nextInt(4)) {
                    case 0 -> random.nextLong();
                    case 1 -> 16L * random.nextInt(200_000);
                    default -> next++;
                };
                Key key = new Key(random.nextInt(BROKERS), clOrdId);
                if (!expected.containsKey(key)) {
                    int slot = take(key);
                    index.add(key.broker, key.clOrdId, slot);
                    expected.put(key, slot);
                    live.add(key);
                }
            } else if (!live.isEmpty()) {
                Collections.swap(live, random.nextInt(live.size()), live.size() - 1);
                Key key = live.removeLast();
                int slot = expected.remove(key);
                assertThat(index.find(key.broker, key.clOrdId)).isEqualTo(slot);
                index.remove(key.broker, key.clOrdId, slot);
                store.release(slot);
                assertThat(index.find(key.broker, key.clOrdId)).isEqualTo(OrderStore.NONE);
            }
            most = Math.max(most, live.size());
            if (step % 20_000 == 0) {
                checkAll(index, expected);
            }
        }
        checkAll(index, expected);
        assertThat(most).isGreaterThan(15_000);
    }

    private static void checkAll(OrderIndex index, Map<Key, Integer> expected) {
        expected.forEach((key, slot) -> {
            if (index.find(key.broker, key.clOrdId) != slot) {
                throw new AssertionError(key + " is not at " + slot);
            }
        });
    }

    /**
     * What a broker could do who held the seed: more keys than a segment takes that nothing parts. The directory grows
     * to its end for them, so that segments of other keys have many places in it when they are split.
     */
    @Test
    void shouldKeepKeysApartThatShareATag() {
        long first = 0x9E3779B97F4A7C15L;
        long second = 0xBF58476D1CE4E5B9L;
        OrderIndex index = new OrderIndex(store, first, second, 15);
        List<Key> keys = new ArrayList<>();
        for (long hash = 0; keys.size() < 7_000; hash++) {
            // The hash backwards: a fold of halves is its own inverse, and an odd factor has one.
            long folded = hash * inverse(second);
            long run = (folded ^ folded >>> 32) * inverse(first);
            if (run == run << 4 >>> 4) {
                assertThat(index.tag(0, run << 4)).isEqualTo(0);
                keys.add(new Key(0, run << 4));
            }
        }
        Random random = new Random(6);
        for (int i = 0; i < 30_000; i++) {
            keys.add(new Key(1, random.nextLong()));
        }
        for (Key key : keys) {
            assertThat(index.find(key.broker, key.clOrdId)).isEqualTo(OrderStore.NONE);
            index.add(key.broker, key.clOrdId, take(key));
        }
        for (Key key : keys) {
            int slot = index.find(key.broker, key.clOrdId);
            assertThat(store.clOrdId(slot)).isEqualTo(key.clOrdId);
            index.remove(key.broker, key.clOrdId, slot);
            assertThat(index.find(key.broker, key.clOrdId)).isEqualTo(OrderStore.NONE);
        }
    }

    /** Newton's iteration, which doubles the number of right bits each time. */
    private static long inverse(long odd) {
        long inverse = odd;
        for (int i = 0; i < 6; i++) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Without the seed, no step between ids heaps them up: 40,000 of them meet in 32,768 lines as by chance. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 8, 16, 29, 32, 35, 40, 44, 48, 52, 56})
    void shouldSpreadIdsWhateverTheStepBetweenThem(int stepBits) {
        Random seeds = new Random(stepBits);
        for (int round = 0; round < 20; round++) {
            OrderIndex index = new OrderIndex(store, seeds.nextLong());
            long step = (1L << stepBits) + (round % 2 == 0 ? 0 : seeds.nextInt(1 << 12));
            Set<Long> ids = new HashSet<>();
            int[] lines = new int[1 << 15];
            for (int i = 0; i < ORDERS_MAX; i++) {
                if (ids.add(i * step)) {
                    int tag = index.tag(0, i * step);
                    lines[tag >>> 26 << 9 | (tag & 8_191) >>> 4]++;
                }
            }
            assertThat(Arrays.stream(lines).max().orElseThrow())
                    .as("ids of one line, step " + step)
                    .isLessThan(64);
        }
    }

    @Test
    void shouldGiveSuccessiveIdsSuccessivePlaces() {
        OrderIndex index = new OrderIndex(store, 9);
        for (long first = -80; first < 80; first += 16) {
            int tag = index.tag(3, first);
            assertThat(tag & 15).isZero();
            for (int i = 1; i < 16; i++) {
                assertThat(index.tag(3, first + i)).isEqualTo(tag + i);
            }
        }
    }

    private int take(Key key) {
        BookOrder order = new BookOrder();
        order.clOrdId = key.clOrdId;
        order.broker = key.broker;
        return store.take(order, 0);
    }
}
