package io.sealbook.perf.broker;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The market of a load: books that all its brokers share.
 *
 * @param books instruments, ids from 1
 * @param resting orders that rest away from the best prices, in all books together
 * @param brokers brokers that share the books, ids from 1
 */
public record LoadMarket(int books, int resting, int brokers) {
    static final long PRICE_MIDDLE = 10_000;
    static final long PRICE_MIN = 9_000;
    static final long PRICE_MAX = 11_000;
    static final long QUANTITY_MAX = 100_000;
    /** About 25 of them rest at the best prices, and about as many take those, on either side. */
    static final int BOOK_ORDERS_MIN = 200;

    public LoadMarket {
        if (books < 1 || brokers < 1 || resting < brokers) {
            throw new IllegalArgumentException(books + " books, " + brokers + " brokers and " + resting
                    + " resting orders: there must be one book, and one resting order per broker, at least");
        }
    }

    /** Returns the instruments in the form that the testnet command takes. */
    public List<String> instruments() {
        return IntStream.rangeClosed(1, books)
                .mapToObj(id -> id + ":LOAD" + id + ":2:" + PRICE_MIN + ":" + PRICE_MAX + ":" + QUANTITY_MAX)
                .toList();
    }

    /**
     * Returns whether so many orders of the brokers cannot end without a trade.
     *
     * @param orders of all brokers together
     */
    public boolean mustTrade(long orders) {
        return orders >= (long) BOOK_ORDERS_MIN * books;
    }

    LoadOrders ordersOf(int brokerId) {
        return new LoadOrders(brokerId * 31L, brokerId, books, resting / brokers);
    }
}
