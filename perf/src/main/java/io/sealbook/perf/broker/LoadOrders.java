package io.sealbook.perf.broker;

import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Orders of one broker without end, drawn from a seed, spread over the books of a {@link LoadMarket} and mixed as on
 * recorded days: of a hundred entries 38 rest away from the best price, 37 cancel the oldest of these, 12 rest at the
 * best prices and 13 take those, so that the books stay as small as they are. (A NASDAQ day of GOOG has 48 new orders,
 * 44 cancels and 8 trades in a hundred messages; a Shanghai day of 600519 has 41 trades.)
 *
 * <p>Brokers share the books: an order may take what another broker's order left.
 */
final class LoadOrders {

    private static final int NEAR_PERCENT = 12;
    private static final int TAKING_PERCENT = 13;
    /** Orders that take reach this number of ticks beyond the middle; the same number is near. */
    private static final int REACH = 4;

    private static final int FAR = 8;
    private static final long LOT = 100;

    private final SplittableRandom random;
    private final int accountId;
    private final int bookCount;
    private final int restingMax;
    private final ArrayDeque<Order> far = new ArrayDeque<>();
    private boolean hasFilled;
    private long nextClOrdId = 1;

    /**
     * @param seed of the random draws
     * @param accountId of all orders
     * @param bookCount instruments, ids from 1
     * @param restingMax orders that rest away from the best prices before the oldest is cancelled
     */
    LoadOrders(long seed, int accountId, int bookCount, int restingMax) {
        this.random = new SplittableRandom(seed);
        this.accountId = accountId;
        this.bookCount = bookCount;
        this.restingMax = restingMax;
        hasFilled = restingMax == 0;
    }

    /** Returns whether as many orders have rested as ever will; from then on one more or less does at each instant. */
    boolean hasFilled() {
        return hasFilled;
    }

    Order next() {
        int kind = random.nextInt(100);
        if (kind < TAKING_PERCENT) {
            return limit(TimeInForce.IMMEDIATE_OR_CANCEL, REACH);
        }
        if (kind < TAKING_PERCENT + NEAR_PERCENT) {
            return limit(TimeInForce.GOOD_TILL_CANCEL, -1 - random.nextInt(REACH));
        }
        if (far.size() == restingMax) {
            Order oldest = far.remove();
            return Order.cancel(nextClOrdId++, oldest.clOrdId(), accountId, oldest.instrumentId(), oldest.side());
        }
        Order order = limit(TimeInForce.GOOD_TILL_CANCEL, -1 - REACH - random.nextInt(FAR));
        far.add(order);
        hasFilled |= far.size() == restingMax;
        return order;
    }

    /** @param distance of the price to the middle, in ticks towards the other side */
    private Order limit(TimeInForce timeInForce, int distance) {
        boolean isBuy = random.nextBoolean();
        return new Order(
                Action.NEW,
                nextClOrdId++,
                Order.NO_ORDER,
                accountId,
                1 + random.nextInt(bookCount),
                isBuy ? Side.BUY : Side.SELL,
                OrdType.LIMIT,
                timeInForce,
                LoadMarket.PRICE_MIDDLE + (isBuy ? distance : -distance),
                LOT * (1 + random.nextInt(5)));
    }
}
