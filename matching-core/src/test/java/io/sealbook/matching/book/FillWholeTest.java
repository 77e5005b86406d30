package io.sealbook.matching.book;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether an order can be filled whole: the sums of the ladders against a walk over all levels. */
class FillWholeTest {
    private static final int BROKERS = 2;
    private static final int ORDERS_MAX = 200_000;
    /** Prices of four books: one page, one word of layer 1, one of layer 2, and several of layer 2. */
    private static final long[] WIDTHS = {1, 3_000, 200_000, 1 << 26};
    /** Of layer 2, layer 1, pages and levels, of a ladder with 2^26 prices. */
    private static final long LOOKS_MAX = 256 + 3 * 64;
    /** Words of layer 1, pages and levels that are read to find three sums anew. */
    private static final long LOOKS_OF_A_CHANGE_MAX = 3 * 64;

    private final Random random = new Random();
    private List<PriceRange> prices = Arrays.stream(WIDTHS)
            .mapToObj(width -> new PriceRange(1_000, 999 + width))
            .toList();
    private OrderBooks books = new OrderBooks(prices, BROKERS, ORDERS_MAX, 3);
    private final BookOrder order = new BookOrder();
    private final List<Integer> slots = new ArrayList<>();
    private long lastClOrdId;

    /** An order that cannot be filled whole trades nothing; it must not cost a pass over the book. */
    @Test
    void shouldLookAtFewSumsHoweverManyLevelsAreOccupied() {
        int book = 3;
        PriceRange range = prices.get(book);
        for (int i = 0; i < 100_000; i++) {
            enter(book, 1, range.min() + 67L * i, 1);
        }
        long limit = range.min() + 67L * 99_998;
        assertThat(looks(book, limit, 100_000, false)).as("once for each order").isLessThan(300_000);

        for (long quantity : new long[] {1, 50_000, 99_999, 100_000, 1_000_000}) {
            assertThat(looks(book, limit, quantity, quantity <= 99_999)).isBetween(1L, LOOKS_MAX);
        }
        for (int i = 0; i < 200; i++) {
            books.remove(slots.get(450 * i));
            assertThat(looks(book, limit, 99_999 - i, false)).isBetween(1L, LOOKS_MAX + LOOKS_OF_A_CHANGE_MAX);
            assertThat(looks(book, limit, 99_998 - i, true)).isBetween(1L, LOOKS_MAX);
            enter(book, 1, range.min() + 67L * 450 * i + 1, 1);
            assertThat(looks(book, limit, 99_999 - i, true)).isBetween(1L, LOOKS_MAX + LOOKS_OF_A_CHANGE_MAX);
            books.remove(slots.getLast());
        }
    }

    private long looks(int book, long limit, long quantity, boolean isFilled) {
        long before = books.lookCount();
        assertThat(books.canFill(book, 0, limit, quantity)).isEqualTo(isFilled);
        return books.lookCount() - before;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldAgreeWithAWalkOverAllLevels(long seed) {
        random.setSeed(seed);
        for (int step = 0; step < 3_000; step++) {
            switch (random.nextInt(64)) {
                case 0 -> moveLimits();
                case 1 -> restore();
                default -> change();
            }
            check(random.nextInt(WIDTHS.length), random.nextInt(2));
        }
        while (!slots.isEmpty()) {
            remove();
            check(random.nextInt(WIDTHS.length), random.nextInt(2));
        }
        for (int book = 0; book < WIDTHS.length; book++) {
            assertThat(books.canFill(book, 0, prices.get(book).max(), 1)).isFalse();
            assertThat(books.canFill(book, 1, prices.get(book).min(), 1)).isFalse();
        }
    }

    private void change() {
        int book = random.nextInt(WIDTHS.length);
        int kind = random.nextInt(8);
        if (kind < 5 || slots.isEmpty()) {
            // Sells rest in the upper half, so that no book crosses.
            PriceRange range = prices.get(book);
            long width = (range.max() - range.min()) / 2;
            long distance =
                    random.nextBoolean() ? random.nextLong(width + 1) : random.nextLong(Math.min(width, 70) + 1);
            int side = random.nextInt(2);
            enter(book, side, side == 0 ? range.min() + distance : range.max() - distance, 1 + random.nextInt(50));
        } else if (kind == 5) {
            remove();
        } else if (kind == 6) {
            int slot = slots.get(random.nextInt(slots.size()));
            long filled = books.orders().quantity(slot) - books.orders().leaves(slot);
            long quantity = filled + 1 + random.nextLong(books.orders().leaves(slot));
            books.reduce(slot, ++lastClOrdId, quantity, books.orders().side(slot));
        } else {
            int side = random.nextInt(2);
            books.match(book, side, price(book), 1 + random.nextInt(100), (slot, price, quantity) -> {
                if (books.orders().leaves(slot) == 0) {
                    slots.remove((Integer) slot);
                }
            });
        }
    }

    private void enter(int book, int side, long price, long quantity) {
        order.book = book;
        order.attributes = side;
        order.broker = random.nextInt(BROKERS);
        order.clOrdId = ++lastClOrdId;
        order.price = price;
        order.quantity = quantity;
        order.leaves = quantity;
        slots.add(books.enter(order));
    }

    private void remove() {
        int slot = slots.remove(random.nextInt(slots.size()));
        books.remove(slot);
    }

    private long price(int book) {
        PriceRange range = prices.get(book);
        return random.nextLong(range.min(), range.max() + 1);
    }

    /** Widens one book, or moves it by a tick for which no order needs to leave. */
    private void moveLimits() {
        int moved = random.nextInt(WIDTHS.length - 1);
        List<PriceRange> next = new ArrayList<>(prices);
        PriceRange range = prices.get(moved);
        next.set(moved, new PriceRange(range.min() - random.nextInt(2), range.max() + random.nextInt(200)));
        prices = List.copyOf(next);
        books.reshape(prices, BROKERS);
    }

    private void restore() {
        OrderBooks restored = new OrderBooks(prices, BROKERS, ORDERS_MAX, random.nextLong());
        OrderRestore restore = restored.restore();
        OrderCapture capture = books.capture((slot, previous) -> {
            books.load(slot, order);
            restore.put(slot, previous, order);
        });
        while (!capture.advance(100)) {
            check(random.nextInt(WIDTHS.length), random.nextInt(2));
        }
        assertThat(restore.finish()).isEmpty();
        books = restored;
    }

    /** At each limit the sum is found, and one more is not. */
    private void check(int book, int side) {
        PriceRange range = prices.get(book);
        long best = books.firstOrder(book, side ^ 1) == OrderStore.NONE
                ? range.min()
                : books.price(books.firstOrder(book, side ^ 1));
        long[] limits = {range.min(), range.max(), price(book), best, Math.min(range.max(), best + random.nextInt(99))};
        for (long limit : limits) {
            long sum = sum(book, side, limit);
            assertThat(sum == 0 || books.canFill(book, side, limit, sum)).isTrue();
            assertThat(books.canFill(book, side, limit, sum + 1)).isFalse();
            long quantity = 1 + random.nextLong(sum + 2);
            assertThat(books.canFill(book, side, limit, quantity)).isEqualTo(quantity <= sum);
        }
    }

    private long sum(int book, int side, long limit) {
        long[] sum = new long[1];
        books.depth(book, side ^ 1, Integer.MAX_VALUE, (price, quantity, count) -> {
            if (side == 0 ? price <= limit : price >= limit) {
                sum[0] += quantity;
            }
        });
        return sum[0];
    }
}
