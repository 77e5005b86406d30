package io.sealbook.perf.flow;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A price-time book in the plainest form: a sorted map of levels, each a map of orders in arrival order. One thread.
 */
final class ReferenceBook {
    /** An order that rests; {@code total} counts what was filled as well. */
    static final class Resting {
        final long id;
        final boolean isBuy;
        final long price;
        long clOrdId;
        long total;
        long leaves;

        Resting(long id, long clOrdId, boolean isBuy, long price, long total, long leaves) {
            this.id = id;
            this.clOrdId = clOrdId;
            this.isBuy = isBuy;
            this.price = price;
            this.total = total;
            this.leaves = leaves;
        }
    }

    /** One fill of an incoming order. */
    record Fill(Resting maker, long price, long quantity) {}

    private static final class Level {
        final LinkedHashMap<Long, Resting> orders = new LinkedHashMap<>();
        long quantity;
    }

    private final TreeMap<Long, Level> bids = new TreeMap<>(Comparator.reverseOrder());
    private final TreeMap<Long, Level> asks = new TreeMap<>();
    private final Map<Long, Resting> byId = new HashMap<>();

    Resting find(long id) {
        return byId.get(id);
    }

    boolean isEmpty(boolean isBuy) {
        return side(isBuy).isEmpty();
    }

    /** Returns the best price of a side that is not empty. */
    long best(boolean isBuy) {
        return side(isBuy).firstKey();
    }

    long quantityAt(boolean isBuy, long price) {
        Level level = side(isBuy).get(price);
        return level == null ? 0 : level.quantity;
    }

    /** Returns the orders of a level in priority order; the collection is a copy. */
    List<Resting> ordersAt(boolean isBuy, long price) {
        Level level = side(isBuy).get(price);
        return level == null ? List.of() : new ArrayList<>(level.orders.values());
    }

    Collection<Long> prices(boolean isBuy) {
        return side(isBuy).keySet();
    }

    void rest(Resting order) {
        Level level = side(order.isBuy).computeIfAbsent(order.price, price -> new Level());
        level.orders.put(order.id, order);
        level.quantity += order.leaves;
        byId.put(order.id, order);
    }

    /**
     * Takes up to {@code quantity} from an order in place and returns what was taken; a filled order leaves the book.
     */
    long take(Resting order, long quantity) {
        Level level = side(order.isBuy).get(order.price);
        long taken = Math.min(order.leaves, quantity);
        order.leaves -= taken;
        level.quantity -= taken;
        if (order.leaves == 0) {
            level.orders.remove(order.id);
            byId.remove(order.id);
            if (level.orders.isEmpty()) {
                side(order.isBuy).remove(order.price);
            }
        }
        return taken;
    }

    /** Returns what an incoming order could take at its limit or better, at most {@code quantity}. */
    long available(boolean isBuy, long limit, long quantity) {
        long available = 0;
        for (Map.Entry<Long, Level> entry : side(!isBuy).entrySet()) {
            if (available >= quantity || (isBuy ? entry.getKey() > limit : entry.getKey() < limit)) {
                break;
            }
            available += entry.getValue().quantity;
        }
        return Math.min(available, quantity);
    }

    /** Matches an incoming order against the other side and returns its fills in order. */
    List<Fill> match(boolean isBuy, long limit, long quantity) {
        List<Fill> fills = new ArrayList<>();
        TreeMap<Long, Level> opposite = side(!isBuy);
        while (quantity > 0 && !opposite.isEmpty()) {
            long price = opposite.firstKey();
            if (isBuy ? price > limit : price < limit) {
                break;
            }
            Resting maker =
                    opposite.firstEntry().getValue().orders.values().iterator().next();
            long taken = take(maker, quantity);
            fills.add(new Fill(maker, price, taken));
            quantity -= taken;
        }
        return fills;
    }

    /** Returns up to {@code depth} best levels of a side as price and quantity in turn. */
    long[] top(boolean isBuy, int depth) {
        TreeMap<Long, Level> side = side(isBuy);
        long[] levels = new long[2 * Math.min(depth, side.size())];
        int i = 0;
        for (Map.Entry<Long, Level> entry : side.entrySet()) {
            if (i == levels.length) {
                break;
            }
            levels[i++] = entry.getKey();
            levels[i++] = entry.getValue().quantity;
        }
        return levels;
    }

    private TreeMap<Long, Level> side(boolean isBuy) {
        return isBuy ? bids : asks;
    }
}
