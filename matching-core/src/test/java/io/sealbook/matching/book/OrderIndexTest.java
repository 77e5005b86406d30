package io.sealbook.matching.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderIndexTest {
    private static final int BROKERS = 5;
    private static final int ORDERS_MAX = 3_000;

    private final OrderStore store = new OrderStore(16, ORDERS_MAX);

    private record Key(int broker, long clOrdId) {}

    /**
     * Ids in turn, ids of which the last bits are equal, and ids at random come and go; the table grows from 32 places.
     */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 77, -5})
    void shouldFindWhatAMapFinds(long seed) {
        OrderIndex index = new OrderIndex(store, 8, seed);
        Map<Key, Integer> expected = new HashMap<>();
        List<Key> live = new ArrayList<>();
        Random random = new Random(41 + seed);
        long next = -50;
        int most = 0;
        for (int step = 0; step < 60_000; step++) {
            boolean isFilling = step / 10_000 % 2 == 0;
            if (live.size() < ORDERS_MAX && random.nextInt(10) < (isFilling ? 6 : 4)) {
                long clOrdId = switch (random.nextInt(4)) {
                    case 0 -> random.nextLong();
                    case 1 -> 8L * random.nextInt(20_000);
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
            if (step % 1_000 == 0) {
                expected.forEach((key, slot) ->
                        assertThat(index.find(key.broker, key.clOrdId)).isEqualTo(slot));
            }
        }
        assertThat(most).isGreaterThan(1_500);
    }

    @Test
    void shouldGiveSuccessiveIdsSuccessivePlaces() {
        OrderIndex index = new OrderIndex(store, 1_000, 9);
        for (long first = -80; first < 80; first += 8) {
            int home = index.home(3, first);
            assertThat(home % 8).isZero();
            for (int i = 1; i < 8; i++) {
                assertThat(index.home(3, first + i)).isEqualTo(home + i);
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
