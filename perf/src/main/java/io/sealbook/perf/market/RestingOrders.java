package io.sealbook.perf.market;

/** The orders of one broker that rest away from the best prices, in no order; any of them is found by a draw. */
final class RestingOrders {
    private final long[] clOrdIds;
    private final long[] prices;
    private final long[] quantities;
    /** Instrument id, negative for a sell order. */
    private final int[] places;

    private int count;

    RestingOrders(int countMax) {
        clOrdIds = new long[countMax];
        prices = new long[countMax];
        quantities = new long[countMax];
        places = new int[countMax];
    }

    int count() {
        return count;
    }

    boolean isFull() {
        return count == clOrdIds.length;
    }

    /**
     * Adds an order.
     *
     * @param clOrdId of the order
     * @param instrumentId above 0
     * @param isBuy its side
     * @param price in ticks
     * @param quantity above 0
     */
    void add(long clOrdId, int instrumentId, boolean isBuy, long price, long quantity) {
        places[count] = isBuy ? instrumentId : -instrumentId;
        set(count++, clOrdId, price, quantity);
    }

    /**
     * Gives an order another name, price and quantity.
     *
     * @param i 0..count - 1
     * @param clOrdId its new name
     * @param price in ticks
     * @param quantity above 0
     */
    void set(int i, long clOrdId, long price, long quantity) {
        clOrdIds[i] = clOrdId;
        prices[i] = price;
        quantities[i] = quantity;
    }

    /** Removes the order at {@code i}; the last one takes its place. */
    void remove(int i) {
        int last = --count;
        set(i, clOrdIds[last], prices[last], quantities[last]);
        places[i] = places[last];
    }

    long clOrdId(int i) {
        return clOrdIds[i];
    }

    long price(int i) {
        return prices[i];
    }

    long quantity(int i) {
        return quantities[i];
    }

    int instrumentId(int i) {
        return Math.abs(places[i]);
    }

    boolean isBuy(int i) {
        return places[i] > 0;
    }
}
