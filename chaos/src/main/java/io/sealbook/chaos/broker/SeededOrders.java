package io.sealbook.chaos.broker;

import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The batches of one broker, each a function of the seed and of its number: a program that was killed makes the same
 * batch again. Ten orders of a batch rest, trade, cancel and replace in books that all brokers share, so that the books
 * stay small. Immutable.
 *
 * @param seed of the run
 * @param brokerId whose batches these are; also the account
 * @param books instruments, ids from 1
 */
public record SeededOrders(long seed, int brokerId, int books) {
    /** Orders of each batch. */
    public static final int ORDERS_PER_BATCH = 10;

    private static final long PRICE_MIDDLE = 10_000;
    private static final long LOT = 100;
    /** A far order rests for this number of batches before it is cancelled or replaced. */
    private static final int RESTS_BATCHES = 20;
    /** Ticks from the middle: near orders are within it, taking orders reach as far, far orders are beyond. */
    private static final int REACH = 4;

    private static final int FAR = 8;
    private static final int CANCELS = 2;
    private static final int REPLACED = 2;
    private static final int FAR_ORDERS = 3;
    private static final int NEAR_ORDERS = 5;
    private static final int TAKING_ORDERS = 7;

    /** Returns the batch of a number, from 1. */
    public List<Order> batch(long number) {
        List<Order> orders = new ArrayList<>(ORDERS_PER_BATCH);
        for (int i = 0; i < TAKING_ORDERS; i++) {
            orders.add(placed(number, i));
        }
        long earlier = number - RESTS_BATCHES;
        for (int i = 0; i < CANCELS; i++) {
            orders.add(earlier > 0 ? cancel(number, TAKING_ORDERS + i, placed(earlier, i)) : placed(number, 0, 7 + i));
        }
        int last = ORDERS_PER_BATCH - 1;
        orders.add(earlier > 0 ? replace(number, last, placed(earlier, REPLACED)) : placed(number, 0, last));
        return orders;
    }

    private Order placed(long number, int index) {
        return placed(number, index, index);
    }

    /** Returns a new order whose kind is that of the order at {@code kind}. */
    private Order placed(long number, int kind, int index) {
        SplittableRandom random = random(number, index);
        Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
        int instrument = 1 + random.nextInt(books);
        long distance = switch (kindOf(kind)) {
            case FAR -> -1 - REACH - random.nextInt(FAR);
            case NEAR -> -1 - random.nextInt(REACH);
            case TAKING -> REACH;
        };
        long quantity = LOT * (1 + random.nextInt(kindOf(kind) == Kind.TAKING ? 8 : 5));
        return new Order(
                Action.NEW,
                clOrdId(number, index),
                Order.NO_ORDER,
                brokerId,
                instrument,
                side,
                OrdType.LIMIT,
                kindOf(kind) == Kind.TAKING ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.GOOD_TILL_CANCEL,
                PRICE_MIDDLE + (side == Side.BUY ? distance : -distance),
                quantity);
    }

    private Order cancel(long number, int index, Order original) {
        return Order.cancel(
                clOrdId(number, index),
                original.clOrdId(),
                original.accountId(),
                original.instrumentId(),
                original.side());
    }

    /** Returns a replace that brings an order near the middle, where others take it. */
    private Order replace(long number, int index, Order original) {
        SplittableRandom random = random(number, index);
        long distance = -1 - random.nextInt(REACH);
        return new Order(
                Action.REPLACE,
                clOrdId(number, index),
                original.clOrdId(),
                original.accountId(),
                original.instrumentId(),
                original.side(),
                OrdType.LIMIT,
                TimeInForce.GOOD_TILL_CANCEL,
                PRICE_MIDDLE + (original.side() == Side.BUY ? distance : -distance),
                LOT * (1 + random.nextInt(5)));
    }

    private enum Kind {
        FAR,
        NEAR,
        TAKING
    }

    private static Kind kindOf(int index) {
        if (index < FAR_ORDERS) {
            return Kind.FAR;
        }
        return index < NEAR_ORDERS ? Kind.NEAR : Kind.TAKING;
    }

    private SplittableRandom random(long number, int index) {
        return new SplittableRandom(seed * 1_000_003 + brokerId * 7_919L + clOrdId(number, index) * 31L);
    }

    private static long clOrdId(long number, int index) {
        return (number - 1) * ORDERS_PER_BATCH + index + 1;
    }
}
