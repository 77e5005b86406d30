package io.sealbook.matching.book;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.Arrays;
import java.util.List;

/**
 * The order books of all instruments: price first, then time of arrival; a trade is made at the resting order's price.
 * Books are numbered by the position of their instrument, sides are 0 for buy and 1 for sell. Arguments are the
 * caller's to check: prices lie in the instrument's range, slots are live, (broker, clOrdId) is free.
 */
public final class OrderBooks {
    /** In place of a marked order, after which no order of its side came. */
    public static final int MARK_AT_END = -1;

    private final OrderStore store;
    private final OrderIndex index;
    private final PriceLadders ladders;
    private final LevelPages levels;
    private final LookAhead lookAhead;
    /** See {@link #mark}. */
    private int mark = OrderStore.NONE;
    /** Told of every order before it changes; null if none is. */
    private OrderCapture capture;

    /** By broker. */
    private int[] liveOrderCounts;

    private long[] priceMin;
    private long[] priceMax;

    /**
     * Makes empty books.
     *
     * @param prices by book, which prices it admits
     * @param brokerCount positions of brokers are below it
     * @param liveOrderCountMax orders that may rest at once
     * @param hashSeed where ids lie in memory; changes no result
     */
    public OrderBooks(List<PriceRange> prices, int brokerCount, int liveOrderCountMax, long hashSeed) {
        this.store = new OrderStore(liveOrderCountMax);
        this.index = new OrderIndex(store, hashSeed);
        this.liveOrderCounts = new int[brokerCount];
        setPrices(prices);
        this.ladders = new PriceLadders(store, counts(prices));
        this.levels = ladders.levels();
        this.lookAhead = new LookAhead(store, index, ladders);
    }

    private void setPrices(List<PriceRange> prices) {
        priceMin = prices.stream().mapToLong(PriceRange::min).toArray();
        priceMax = prices.stream().mapToLong(PriceRange::max).toArray();
    }

    private static int[] counts(List<PriceRange> prices) {
        return prices.stream().mapToInt(PriceRange::count).toArray();
    }

    /**
     * Goes on with other prices, and with further books and brokers at the end. Orders keep their slots and their
     * priority; it costs a pass over the orders of each book whose prices change, and, if the number of pages of a book
     * changes or a book comes, a copy of what is kept for each page of prices.
     *
     * @param prices by book, which prices it admits: among them those of all its orders
     * @param brokerCount positions of brokers are below it
     * @throws BrokenInvariantException while orders are captured
     */
    public void reshape(List<PriceRange> prices, int brokerCount) {
        if (capture != null) {
            throw new BrokenInvariantException("the books are reshaped while their orders are captured");
        }
        LadderMove move = new LadderMove(store, ladders, priceMin.length);
        for (int book = 0; book < priceMin.length; book++) {
            PriceRange before = new PriceRange(priceMin[book], priceMax[book]);
            if (!before.equals(prices.get(book))) {
                move.takeOut(book, before, prices.get(book));
            }
        }
        liveOrderCounts = Arrays.copyOf(liveOrderCounts, brokerCount);
        setPrices(prices);
        ladders.reshape(counts(prices));
        move.putBack();
    }

    /** Returns the live orders' fields. */
    public OrderStore orders() {
        return store;
    }

    /** Returns the number of brokers; their positions are below it. */
    public int brokerCount() {
        return liveOrderCounts.length;
    }

    /**
     * Returns how many orders of a broker live.
     *
     * @param broker position of the broker in the configuration
     */
    public int liveOrderCount(int broker) {
        return liveOrderCounts[broker];
    }

    /**
     * Returns the slot of a live order, or {@link OrderStore#NONE}.
     *
     * @param broker position of the broker in the configuration
     * @param clOrdId given by the broker
     */
    public int find(int broker, long clOrdId) {
        return index.find(broker, clOrdId);
    }

    /**
     * Matches an incoming order against the other side as far as its limit goes.
     *
     * @param book position of the instrument
     * @param side the incoming order's: 0 buy, 1 sell
     * @param limit worst price it accepts, in ticks
     * @param quantity of the incoming order, above 0
     * @param sink hears each fill in the order made
     * @return the unfilled part of {@code quantity}
     */
    public long match(int book, int side, long limit, long quantity, FillSink sink) {
        int other = side ^ 1;
        int ladder = 2 * book + other;
        int limitRank = rank(book, other, limit);
        long left = quantity;
        for (int rank = ladders.best(ladder); rank <= limitRank && left > 0; rank = ladders.best(ladder)) {
            left = matchLevel(ladders.level(ladder, rank), price(book, other, rank), left, sink);
        }
        return left;
    }

    private long matchLevel(int level, long price, long quantity, FillSink sink) {
        long left = quantity;
        int slot = levels.head(level);
        ladders.subtract(level, Math.min(quantity, levels.volume(level)));
        while (left > 0 && slot != OrderStore.NONE) {
            int next = store.next(slot);
            long fill = Math.min(left, store.leaves(slot));
            left -= fill;
            if (capture != null) {
                capture.save(slot);
            }
            boolean isUsedUp = store.fill(slot, fill, fill * price) == 0;
            sink.onFill(slot, price, fill);
            if (isUsedUp) {
                unmark(slot);
                saveNext(slot);
                ladders.removeHead(level, slot);
                forget(slot);
            }
            slot = next;
        }
        return left;
    }

    /**
     * Returns whether the other side holds at least {@code quantity} within the limit.
     *
     * @param book position of the instrument
     * @param side the incoming order's: 0 buy, 1 sell
     * @param limit worst price it accepts, in ticks
     * @param quantity of the incoming order, above 0
     */
    public boolean canFill(int book, int side, long limit, long quantity) {
        int other = side ^ 1;
        return ladders.holds(2 * book + other, rank(book, other, limit), quantity);
    }

    /** Returns how many sums and volumes {@link #canFill} has read so far. */
    long lookCount() {
        return ladders.lookCount();
    }

    /**
     * Puts an order into its place after all others at its price. The caller has checked that the store is not full.
     *
     * @param order copied; stays the caller's
     * @return its slot
     */
    public int enter(BookOrder order) {
        int level = admit(order);
        int slot = store.take(order, level);
        if (capture != null) {
            capture.skip(slot);
        }
        ladders.append(level, slot, order.leaves);
        remember(order, slot);
        return slot;
    }

    /** Returns the level of an order, which must be put into it. */
    int admit(BookOrder order) {
        int side = order.side();
        return ladders.admit(2 * order.book + side, rank(order.book, side, order.price));
    }

    /** Has a live order found by its name. */
    void remember(BookOrder order, int slot) {
        index.add(order.broker, order.clOrdId, slot);
        liveOrderCounts[order.broker]++;
    }

    /**
     * Begins to hand out the orders that live now.
     *
     * @param sink takes each once, on this thread, from within calls of the capture and of these books
     * @throws BrokenInvariantException if orders are being captured
     */
    public OrderCapture capture(OrderCapture.Sink sink) {
        if (capture != null) {
            throw new BrokenInvariantException("orders are being captured");
        }
        capture = new OrderCapture(this, sink);
        return capture;
    }

    void endCapture(OrderCapture ended) {
        if (capture == ended) {
            capture = null;
        }
    }

    /** Returns what fills these books, which are empty. */
    public OrderRestore restore() {
        return new OrderRestore(this, ladders);
    }

    /**
     * Copies a live order out of its slot.
     *
     * @param slot of a live order
     * @param order gets every field
     */
    public void load(int slot, BookOrder order) {
        store.load(slot, order);
        int level = store.level(slot);
        order.book = levels.ladder(level) >>> 1;
        order.price = price(order.book, order.side(), levels.rank(level));
    }

    /** Takes an order out of its book. */
    public void remove(int slot) {
        unmark(slot);
        if (capture != null) {
            capture.save(slot);
            saveNext(slot);
        }
        ladders.remove(store.level(slot), slot, store.leaves(slot));
        forget(slot);
    }

    /**
     * Gives an order another name, a quantity that is not above its present one, and a lifetime; it keeps its place.
     *
     * @param slot of a live order
     * @param clOrdId its new name, not one of the broker's live orders
     * @param quantity its new total, above what is filled and at most the present one
     * @param attributes bits of {@link OrderStore}; the side is unchanged
     */
    public void reduce(int slot, long clOrdId, long quantity, int attributes) {
        long reduction = store.quantity(slot) - quantity;
        long leaves = store.leaves(slot) - reduction;
        int broker = store.broker(slot);
        if (capture != null) {
            capture.save(slot);
        }
        ladders.subtract(store.level(slot), reduction);
        index.remove(broker, store.clOrdId(slot), slot);
        store.amend(slot, clOrdId, quantity, leaves, attributes);
        index.add(broker, clOrdId, slot);
    }

    /** The order after one that leaves is going to have another before it. */
    private void saveNext(int slot) {
        if (capture != null) {
            capture.save(store.next(slot));
        }
    }

    private void forget(int slot) {
        int broker = store.broker(slot);
        index.remove(broker, store.clOrdId(slot), slot);
        liveOrderCounts[broker]--;
        store.release(slot);
    }

    /** When the marked order leaves its book, the next one of its side is marked. */
    private void unmark(int slot) {
        if (slot == mark) {
            int next = nextOrder(slot);
            mark = next == OrderStore.NONE ? MARK_AT_END : next;
        }
    }

    /**
     * Marks an order, which is the only one.
     *
     * @param slot of a live order, or {@link OrderStore#NONE}
     */
    public void mark(int slot) {
        mark = slot;
    }

    /**
     * Returns the marked order. In place of one that has left its book it is the one that came next on its side, or
     * {@link #MARK_AT_END}.
     */
    public int mark() {
        return mark;
    }

    /** Returns the position of an order's instrument in the configuration. */
    public int book(int slot) {
        return levels.ladder(store.level(slot)) >>> 1;
    }

    /** Returns an order's price in ticks. */
    public long price(int slot) {
        int level = store.level(slot);
        return price(levels.ladder(level) >>> 1, store.side(slot), levels.rank(level));
    }

    /**
     * Returns the first order of a side in priority order, or {@link OrderStore#NONE}.
     *
     * @param book position of the instrument
     * @param side 0 buy, 1 sell
     */
    public int firstOrder(int book, int side) {
        int ladder = 2 * book + side;
        int rank = ladders.best(ladder);
        return rank == PriceLadders.EMPTY ? OrderStore.NONE : levels.head(ladders.level(ladder, rank));
    }

    /** Returns the order after {@code slot} in the priority order of its side, or {@link OrderStore#NONE}. */
    public int nextOrder(int slot) {
        int next = store.next(slot);
        if (next != OrderStore.NONE) {
            return next;
        }
        int level = store.level(slot);
        int ladder = levels.ladder(level);
        int rank = ladders.after(ladder, levels.rank(level));
        return rank == PriceLadders.EMPTY ? OrderStore.NONE : levels.head(ladders.level(ladder, rank));
    }

    /**
     * Shows the best levels of one side.
     *
     * @param book position of the instrument
     * @param side 0 buy, 1 sell
     * @param levelCountMax upper bound, at least 1
     * @param sink called once per level, best first
     * @return how many were shown
     */
    public int depth(int book, int side, int levelCountMax, LevelSink sink) {
        int ladder = 2 * book + side;
        int shown = 0;
        for (int rank = ladders.best(ladder);
                rank != PriceLadders.EMPTY && shown < levelCountMax;
                rank = ladders.after(ladder, rank)) {
            int level = ladders.level(ladder, rank);
            sink.onLevel(price(book, side, rank), levels.volume(level), levels.orderCount(level));
            shown++;
        }
        return shown;
    }

    /**
     * Expects an order that will be matched and may come to rest; see {@link LookAhead}.
     *
     * @param book position of the instrument
     * @param side 0 buy, 1 sell
     * @param price within the instrument's range
     */
    public void expect(int book, int side, long price) {
        lookAhead.expect(2 * book + side, rank(book, side, price), rank(book, side ^ 1, price));
    }

    /**
     * Expects a look-up; see {@link LookAhead}.
     *
     * @param broker position of the broker in the configuration
     * @param clOrdId given by the broker
     */
    public void expectAbsent(int broker, long clOrdId) {
        lookAhead.expectAbsent(broker, clOrdId);
    }

    /**
     * Expects the removal of an order; see {@link LookAhead}.
     *
     * @param broker position of the broker in the configuration
     * @param clOrdId given by the broker
     */
    public void expectPresent(int broker, long clOrdId) {
        lookAhead.expectPresent(broker, clOrdId);
    }

    /** Reads the memory of what was expected since the last call; changes nothing. */
    public void fetch() {
        lookAhead.fetch();
    }

    private int rank(int book, int side, long price) {
        return (int) (side == 0 ? priceMax[book] - price : price - priceMin[book]);
    }

    private long price(int book, int side, int rank) {
        return side == 0 ? priceMax[book] - rank : priceMin[book] + rank;
    }
}
