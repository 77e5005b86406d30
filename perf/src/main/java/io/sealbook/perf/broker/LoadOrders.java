package io.sealbook.perf.broker;

import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * Orders of one broker in one instrument without end, drawn from a seed, mixed as on recorded days: of a hundred
 * entries 38 rest away from the best price, 37 cancel the oldest of these, 12 rest at the best prices and 13 take
 * those, so that the book stays as small as it is. (A NASDAQ day of GOOG has 48 new orders, 44 cancels and 8 trades in
 * a hundred messages; a Shanghai day of 600519 has 41 trades.)
 */
final class LoadOrders {
    static final long PRICE_MIN = 9_000;
    static final long PRICE_MAX = 11_000;
    static final long QUANTITY_MAX = 100_000;

    private static final long PRICE_MIDDLE = 10_000;
    private static final int NEAR_PERCENT = 12;
    private static final int TAKING_PERCENT = 13;
    /** Orders that take reach this number of ticks beyond the middle; the same number is near. */
    private static final int REACH = 4;

    private static final int FAR = 8;
    private static final int RESTING_FAR_MAX = 256;
    private static final long LOT = 100;

    private final SplittableRandom random;
    private final int accountId;
    private final int instrumentId;
    private final ArrayDeque<Order> far = new ArrayDeque<>(RESTING_FAR_MAX);
    private long nextClOrdId;

    LoadOrders(long seed, int accountId, int instrumentId, long firstClOrdId) {
        this.random = new SplittableRandom(seed);
        this.accountId = accountId;
        this.instrumentId = instrumentId;
        this.nextClOrdId = firstClOrdId;
    }

    /** Returns the first id that has not been used. */
    long nextClOrdId() {
        return nextClOrdId;
    }

    Order next() {
        int kind = random.nextInt(100);
        if (kind < TAKING_PERCENT) {
            return limit(TimeInForce.IMMEDIATE_OR_CANCEL, REACH);
        }
        if (kind < TAKING_PERCENT + NEAR_PERCENT) {
            return limit(TimeInForce.GOOD_TILL_CANCEL, -1 - random.nextInt(REACH));
        }
        if (far.size() == RESTING_FAR_MAX) {
            Order oldest = far.remove();
            return Order.cancel(nextClOrdId++, oldest.clOrdId(), accountId, instrumentId, oldest.side());
        }
        Order order = limit(TimeInForce.GOOD_TILL_CANCEL, -1 - REACH - random.nextInt(FAR));
        far.add(order);
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
                instrumentId,
                isBuy ? Side.BUY : Side.SELL,
                OrdType.LIMIT,
                timeInForce,
                PRICE_MIDDLE + (isBuy ? distance : -distance),
                LOT * (1 + random.nextInt(5)));
    }
}
