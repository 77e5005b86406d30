package io.sealbook.matching;

import io.sealbook.protocol.sbe.Side;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** The resting orders of one instrument of {@link ReferenceMarket}: for each side queues by price, the best first. */
final class ReferenceBook {
    private final TreeMap<Long, ArrayDeque<ReferenceOrder>> bids = new TreeMap<>(Comparator.reverseOrder());
    private final TreeMap<Long, ArrayDeque<ReferenceOrder>> asks = new TreeMap<>();

    TreeMap<Long, ArrayDeque<ReferenceOrder>> side(Side side) {
        return side == Side.BUY ? bids : asks;
    }

    TreeMap<Long, ArrayDeque<ReferenceOrder>> against(Side side) {
        return side == Side.BUY ? asks : bids;
    }

    /** Returns the orders of a side in priority. */
    List<ReferenceOrder> orders(Side side) {
        List<ReferenceOrder> orders = new ArrayList<>();
        side(side).values().forEach(orders::addAll);
        return orders;
    }

    void add(ReferenceOrder order) {
        side(order.side)
                .computeIfAbsent(order.price, price -> new ArrayDeque<>())
                .add(order);
    }

    void remove(ReferenceOrder order) {
        ArrayDeque<ReferenceOrder> queue = side(order.side).get(order.price);
        queue.remove(order);
        if (queue.isEmpty()) {
            side(order.side).remove(order.price);
        }
    }

    /** Returns the quantity that could fill the order now. */
    long available(ReferenceOrder order) {
        return against(order.side).entrySet().stream()
                .filter(level -> order.accepts(level.getKey()))
                .flatMap(level -> level.getValue().stream())
                .mapToLong(ReferenceOrder::leaves)
                .sum();
    }
}
