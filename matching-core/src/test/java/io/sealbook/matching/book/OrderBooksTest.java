package io.sealbook.matching.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The books against lists of orders: many orders, prices at both ends of the range, ids without a pattern. */
class OrderBooksTest {
    private static final int BROKERS = 3;
    /** More than two chunks of the store. */
    private static final int ORDERS_MAX = 70_000;

    private static final List<PriceRange> RANGES =
            List.of(new PriceRange(1, 1), new PriceRange(1, 1L << 26), new PriceRange(1L << 40, (1L << 40) + 4_500));

    /** An order as the test keeps it. */
    private static final class Order {
        final int broker;
        final int side;
        final long price;
        long clOrdId;
        long quantity;
        long leaves;
        boolean isLive = true;

        Order(int broker, int side, long price, long clOrdId, long quantity) {
            this.broker = broker;
            this.side = side;
            this.price = price;
            this.clOrdId = clOrdId;
            this.quantity = quantity;
            this.leaves = quantity;
        }
    }

    private final Random random = new Random();
    private final OrderBooks books = new OrderBooks(RANGES, BROKERS, ORDERS_MAX, 99);
    /** By ladder, in order of arrival. */
    private final List<List<Order>> sides = new ArrayList<>();

    private final Map<String, Order> named = new HashMap<>();
    private final List<Order> live = new ArrayList<>();
    private final List<String> fills = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepWhatListsKeep(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 2 * RANGES.size(); i++) {
            sides.add(new ArrayList<>());
        }
        for (int step = 0; step < 4_000; step++) {
            if (step % 10 == 0) {
                expectAnything();
            }
            step();
            if (step % 500 == 499) {
                check();
            }
        }
        check();
    }

    /** The store full, every order moved by others' leaving, then empty: growth loses nothing. */
    @ParameterizedTest
    @ValueSource(longs = {4, 5})
    void shouldHoldAsManyOrdersAsItMay(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 2 * RANGES.size(); i++) {
            sides.add(new ArrayList<>());
        }
        while (!books.orders().isFull()) {
            enter(random.nextInt(RANGES.size()), 0);
        }
        check();
        while (!live.isEmpty()) {
            remove(live.remove(live.size() - 1));
        }
        assertThat(books.orders().count()).isZero();
        for (int book = 0; book < RANGES.size(); book++) {
            assertThat(books.firstOrder(book, 0)).isEqualTo(OrderStore.NONE);
        }
        while (!books.orders().isFull()) {
            enter(random.nextInt(RANGES.size()), 1);
        }
        check();
    }

    private void step() {
        int kind = random.nextInt(10);
        if (kind < 5 || live.isEmpty()) {
            int book = random.nextInt(RANGES.size());
            int side = random.nextInt(2);
            match(book, side, price(book), 1 + random.nextInt(30));
            enter(book, side);
            return;
        }
        int i = random.nextInt(live.size());
        Order order = live.get(i);
        if (!order.isLive) {
            live.remove(i);
        } else if (kind < 8) {
            live.remove(i);
            remove(order);
        } else {
            reduce(order);
        }
    }

    private void enter(int book, int side) {
        // Buys lie in the lower half and sells in the upper one, so that no book crosses.
        Order order =
                new Order(random.nextInt(BROKERS), side, restingPrice(book, side), newId(), 1 + random.nextInt(50));
        if (named.putIfAbsent(name(order), order) != null) {
            return;
        }
        BookOrder entering = new BookOrder();
        entering.book = book;
        entering.attributes = side;
        entering.broker = order.broker;
        entering.clOrdId = order.clOrdId;
        entering.price = order.price;
        entering.quantity = order.quantity;
        entering.leaves = order.leaves;
        entering.account = -order.broker;
        entering.orderId = order.clOrdId ^ 5;
        books.enter(entering);
        sides.get(2 * book + side).add(order);
        live.add(order);
    }

    private long restingPrice(int book, int side) {
        PriceRange range = RANGES.get(book);
        long half = (range.max() - range.min()) / 2;
        long distance = random.nextInt(4) == 0 ? 0 : random.nextInt(3) == 0 ? random.nextLong(half + 1) : half;
        return side == 0 ? range.min() + distance : range.max() - distance;
    }

    private long price(int book) {
        PriceRange range = RANGES.get(book);
        return switch (random.nextInt(4)) {
            case 0 -> range.min();
            case 1 -> range.max();
            default -> random.nextLong(range.min(), range.max() + 1);
        };
    }

    private long newId() {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextLong();
            case 1 -> (long) random.nextInt() << 32;
            default -> random.nextInt(1 << 20);
        };
    }

    private void remove(Order order) {
        books.remove(books.find(order.broker, order.clOrdId));
        forget(order);
    }

    private void forget(Order order) {
        named.remove(name(order));
        order.isLive = false;
    }

    private void reduce(Order order) {
        long filled = order.quantity - order.leaves;
        long quantity = filled + 1 + random.nextLong(order.leaves);
        Order renamed = new Order(order.broker, order.side, order.price, newId(), quantity);
        if (named.putIfAbsent(name(renamed), order) != null) {
            return;
        }
        books.reduce(books.find(order.broker, order.clOrdId), renamed.clOrdId, quantity, order.side);
        named.remove(name(order));
        order.clOrdId = renamed.clOrdId;
        order.leaves = quantity - filled;
        order.quantity = quantity;
    }

    private void match(int book, int side, long limit, long quantity) {
        List<Order> others = sorted(book, side ^ 1);
        long there = 0;
        long left = quantity;
        List<String> expected = new ArrayList<>();
        for (Order other : others) {
            if (side == 0 ? other.price > limit : other.price < limit) {
                break;
            }
            there += other.leaves;
            long fill = Math.min(left, other.leaves);
            if (fill > 0) {
                left -= fill;
                other.leaves -= fill;
                expected.add(other.clOrdId + " " + fill + "@" + other.price);
                if (other.leaves == 0) {
                    forget(other);
                }
            }
        }
        fills.clear();
        assertThat(books.canFill(book, side, limit, quantity)).isEqualTo(there >= quantity);
        long actual = books.match(
                book,
                side,
                limit,
                quantity,
                (slot, price, filled) -> fills.add(books.orders().clOrdId(slot) + " " + filled + "@" + price));
        assertThat(fills).isEqualTo(expected);
        assertThat(actual).isEqualTo(left);
    }

    /** Returns a side's live orders, best first. */
    private List<Order> sorted(int book, int side) {
        List<Order> orders = sides.get(2 * book + side);
        orders.removeIf(order -> !order.isLive);
        Comparator<Order> byPrice = Comparator.comparingLong(order -> order.price);
        return orders.stream().sorted(side == 0 ? byPrice.reversed() : byPrice).toList();
    }

    /** Hints of all kinds, right and wrong, change nothing. */
    private void expectAnything() {
        for (int i = random.nextInt(100); i > 0; i--) {
            int book = random.nextInt(RANGES.size());
            books.expect(book, random.nextInt(2), price(book));
            books.expectAbsent(random.nextInt(BROKERS), newId());
            if (!live.isEmpty()) {
                Order order = live.get(random.nextInt(live.size()));
                books.expectPresent(order.broker, order.clOrdId);
            }
            books.expectPresent(random.nextInt(BROKERS), newId());
        }
        books.fetch();
    }

    private void check() {
        BookOrder order = new BookOrder();
        for (int book = 0; book < RANGES.size(); book++) {
            for (int side = 0; side < 2; side++) {
                int slot = books.firstOrder(book, side);
                for (Order expected : sorted(book, side)) {
                    books.load(slot, order);
                    if (order.book != book
                            || order.side() != side
                            || order.broker != expected.broker
                            || order.account != -expected.broker
                            || order.clOrdId != expected.clOrdId
                            || order.price != expected.price
                            || order.quantity != expected.quantity
                            || order.leaves != expected.leaves
                            || books.find(expected.broker, expected.clOrdId) != slot) {
                        throw new AssertionError("slot " + slot + " of book " + book + ", side " + side);
                    }
                    slot = books.nextOrder(slot);
                }
                assertThat(slot).isEqualTo(OrderStore.NONE);
                assertThat(levels(book, side)).isEqualTo(expectedLevels(book, side));
            }
        }
        assertThat(books.orders().count()).isEqualTo(named.size());
    }

    private List<String> levels(int book, int side) {
        List<String> levels = new ArrayList<>();
        books.depth(
                book,
                side,
                Integer.MAX_VALUE,
                (price, quantity, count) -> levels.add(price + " " + quantity + " " + count));
        return levels;
    }

    private List<String> expectedLevels(int book, int side) {
        List<String> levels = new ArrayList<>();
        List<Order> orders = sorted(book, side);
        for (int i = 0; i < orders.size(); ) {
            long price = orders.get(i).price;
            long quantity = 0;
            int count = 0;
            for (; i < orders.size() && orders.get(i).price == price; i++) {
                quantity += orders.get(i).leaves;
                count++;
            }
            levels.add(price + " " + quantity + " " + count);
        }
        return levels;
    }

    private static String name(Order order) {
        return order.broker + " " + order.clOrdId;
    }
}
