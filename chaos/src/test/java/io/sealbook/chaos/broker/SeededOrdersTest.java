package io.sealbook.chaos.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeededOrdersTest {
    private final SeededOrders orders = new SeededOrders(7, 2, 3);

    @Test
    void shouldMakeABatchAgain() {
        assertThat(new SeededOrders(7, 2, 3).batch(41)).isEqualTo(orders.batch(41));
        assertThat(new SeededOrders(8, 2, 3).batch(41)).isNotEqualTo(orders.batch(41));
        assertThat(new SeededOrders(7, 3, 3).batch(41)).isNotEqualTo(orders.batch(41));
    }

    @Test
    void shouldNumberOrdersWithoutAGap() {
        long next = 1;
        for (long number = 1; number <= 50; number++) {
            for (Order order : orders.batch(number)) {
                assertThat(order.clOrdId()).isEqualTo(next++);
            }
        }
    }

    @Test
    void shouldCancelAndReplaceEarlierOrdersInTheirBooks() {
        Map<Long, Order> placed = new HashMap<>();
        for (long number = 1; number <= 100; number++) {
            List<Order> batch = orders.batch(number);
            for (Order order : batch) {
                if (order.action() == Action.NEW) {
                    placed.put(order.clOrdId(), order);
                } else {
                    Order original = placed.get(order.origClOrdId());
                    assertThat(original.instrumentId()).isEqualTo(order.instrumentId());
                    assertThat(original.side()).isEqualTo(order.side());
                }
            }
            assertThat(batch).filteredOn(order -> order.action() != Action.NEW).hasSize(number > 20 ? 3 : 0);
        }
    }
}
