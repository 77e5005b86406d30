package io.sealbook.perf.bench.matching;

import io.sealbook.perf.flow.FlowCommand.Kind;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** One number over all trades of a flow, and what it must be by the plainest book there is. */
final class TradeChecksum {
    private static final class Order {
        final Book book;
        final boolean isBuy;
        final long id;
        final long price;
        long total;
        long leaves;

        Order(Book book, boolean isBuy, long id, long price, long total, long leaves) {
            this.book = book;
            this.isBuy = isBuy;
            this.id = id;
            this.price = price;
            this.total = total;
            this.leaves = leaves;
        }
    }

    private static final class Book {
        final TreeMap<Long, ArrayDeque<Order>> bids = new TreeMap<>(Comparator.reverseOrder());
        final TreeMap<Long, ArrayDeque<Order>> asks = new TreeMap<>();
    }

    private final Map<Long, Order> live = new HashMap<>();
    private final boolean reduceKeepsPriority;
    private long checksum;
    private long count;

    private TradeChecksum(boolean reduceKeepsPriority) {
        this.reduceKeepsPriority = reduceKeepsPriority;
    }

    /** Returns the checksum with one more trade in it. */
    static long add(long checksum, long makerId, long price, long quantity) {
        return (checksum + makerId * 31 + price * 17 + quantity) * 0x9E3779B97F4A7C15L;
    }

    /** Returns the checksum that the messages' trades must have; there is at least one trade. */
    static long expected(Messages messages) {
        TradeChecksum own = new TradeChecksum(messages.instruments.get(0).reduceKeepsPriority());
        Map<Integer, Book> books = new HashMap<>();
        for (int i = 0; i < messages.count(); i++) {
            own.execute(messages, i, books.computeIfAbsent(messages.book[i], b -> new Book()));
        }
        if (own.count == 0) {
            throw new IllegalStateException("the flow makes no trade");
        }
        return own.checksum;
    }

    private void execute(Messages m, int i, Book book) {
        Kind kind = m.kind[i];
        if (kind == Kind.CANCEL || kind == Kind.REPLACE) {
            Order order = live.get(m.originalId[i]);
            if (order == null) {
                return;
            }
            long filled = order.total - order.leaves;
            if (kind == Kind.CANCEL) {
                drop(order);
            } else if (m.quantity[i] > filled) {
                replace(m, i, order, filled);
            }
            return;
        }
        long limit = kind == Kind.MARKET ? m.isBuy[i] ? Long.MAX_VALUE : 0 : m.price[i];
        if (kind == Kind.FILL_OR_KILL && there(book, m.isBuy[i], limit) < m.quantity[i]) {
            return;
        }
        long left = match(book, m.isBuy[i], limit, m.quantity[i]);
        if (left > 0 && kind == Kind.LIMIT) {
            rest(new Order(book, m.isBuy[i], m.id[i], m.price[i], m.quantity[i], left));
        }
    }

    private void replace(Messages m, int i, Order order, long filled) {
        long quantity = m.quantity[i];
        if (reduceKeepsPriority && m.price[i] == order.price && quantity <= order.total) {
            // The queue holds the order itself, so that it can keep its place under a new id only by standing in for
            // it.
            ArrayDeque<Order> queue = side(order.book, order.isBuy).get(order.price);
            Order renamed = new Order(order.book, order.isBuy, m.id[i], order.price, quantity, quantity - filled);
            ArrayDeque<Order> copy = new ArrayDeque<>();
            queue.forEach(o -> copy.add(o == order ? renamed : o));
            side(order.book, order.isBuy).put(order.price, copy);
            live.remove(order.id);
            live.put(renamed.id, renamed);
            return;
        }
        drop(order);
        long left = match(order.book, order.isBuy, m.price[i], quantity - filled);
        if (left > 0) {
            rest(new Order(order.book, order.isBuy, m.id[i], m.price[i], quantity, left));
        }
    }

    private long match(Book book, boolean isBuy, long limit, long quantity) {
        TreeMap<Long, ArrayDeque<Order>> other = side(book, !isBuy);
        long left = quantity;
        while (left > 0 && !other.isEmpty() && (isBuy ? other.firstKey() <= limit : other.firstKey() >= limit)) {
            Order maker = other.firstEntry().getValue().peek();
            long fill = Math.min(left, maker.leaves);
            left -= fill;
            maker.leaves -= fill;
            checksum = add(checksum, maker.id, maker.price, fill);
            count++;
            if (maker.leaves == 0) {
                drop(maker);
            }
        }
        return left;
    }

    private static long there(Book book, boolean isBuy, long limit) {
        return side(book, !isBuy).entrySet().stream()
                .filter(level -> isBuy ? level.getKey() <= limit : level.getKey() >= limit)
                .flatMap(level -> level.getValue().stream())
                .mapToLong(order -> order.leaves)
                .sum();
    }

    private void rest(Order order) {
        side(order.book, order.isBuy)
                .computeIfAbsent(order.price, p -> new ArrayDeque<>())
                .add(order);
        live.put(order.id, order);
    }

    private void drop(Order order) {
        live.remove(order.id);
        ArrayDeque<Order> queue = side(order.book, order.isBuy).get(order.price);
        queue.remove(order);
        if (queue.isEmpty()) {
            side(order.book, order.isBuy).remove(order.price);
        }
    }

    private static TreeMap<Long, ArrayDeque<Order>> side(Book book, boolean isBuy) {
        return isBuy ? book.bids : book.asks;
    }
}
