package io.sealbook.client;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.Objects;

/**
 * One entry of a batch: a new order, a cancel, a replace, or a request about many orders. Field names follow FIX; tags
 * in brackets. Ids are unsigned.
 *
 * @param action MsgType(35)
 * @param clOrdId ClOrdID(11), chosen by the broker, unique among its live orders, not 0
 * @param origClOrdId OrigClOrdID(41): the order to cancel or replace, 0 for a new order
 * @param accountId Account(1)
 * @param instrumentId SecurityID(48)
 * @param side Side(54); of a cancel or replace the original order's; of a mass cancel NULL_VAL for both
 * @param ordType OrdType(40)
 * @param timeInForce TimeInForce(59)
 * @param price Price(44) in ticks, 0 for a market order or cancel; of a mass cancel a session
 * @param quantity OrderQty(38); of a replace the new total (filled and open together), of a cancel 0; of a mass cancel
 *     the scope of its filter, of cancel-after its time
 */
public record Order(
        Action action,
        long clOrdId,
        long origClOrdId,
        int accountId,
        int instrumentId,
        Side side,
        OrdType ordType,
        TimeInForce timeInForce,
        long price,
        long quantity) {

    /** OrigClOrdID of an entry that refers to no earlier order. */
    public static final long NO_ORDER = 0;
    /** Bits of a mass cancel's quantity: what is part of its filter. */
    private static final int OF_ACCOUNT = 1;

    private static final int OF_SESSION = 2;

    public Order {
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(ordType, "ordType");
        Objects.requireNonNull(timeInForce, "timeInForce");
    }

    /**
     * Returns a new limit order for the day.
     *
     * @param clOrdId unsigned, not 0; different from those of the broker's live orders
     * @param accountId account that trades, unsigned; one of the broker's, if the genesis file lists them
     * @param instrumentId unsigned id of the genesis file
     * @param side BUY or SELL
     * @param priceTicks limit, in ticks of the instrument, within its range
     * @param quantity 1..quantityMax of the instrument
     */
    public static Order limit(
            long clOrdId, int accountId, int instrumentId, Side side, long priceTicks, long quantity) {
        return new Order(
                Action.NEW,
                clOrdId,
                NO_ORDER,
                accountId,
                instrumentId,
                side,
                OrdType.LIMIT,
                TimeInForce.DAY,
                priceTicks,
                quantity);
    }

    /**
     * Returns a new market order: it takes what the book offers, the rest is cancelled.
     *
     * @param clOrdId unsigned, not 0; different from those of the broker's live orders
     * @param accountId account that trades, unsigned; one of the broker's, if the genesis file lists them
     * @param instrumentId unsigned id of the genesis file
     * @param side BUY or SELL
     * @param quantity 1..quantityMax of the instrument
     */
    public static Order market(long clOrdId, int accountId, int instrumentId, Side side, long quantity) {
        return new Order(
                Action.NEW,
                clOrdId,
                NO_ORDER,
                accountId,
                instrumentId,
                side,
                OrdType.MARKET,
                TimeInForce.IMMEDIATE_OR_CANCEL,
                0,
                quantity);
    }

    /**
     * Returns the cancel of a live order.
     *
     * @param clOrdId id of the cancel itself, unsigned, not 0
     * @param origClOrdId ClOrdID of the order to cancel
     * @param accountId the order's account
     * @param instrumentId the order's instrument
     * @param side the order's side
     */
    public static Order cancel(long clOrdId, long origClOrdId, int accountId, int instrumentId, Side side) {
        return new Order(
                Action.CANCEL,
                clOrdId,
                origClOrdId,
                accountId,
                instrumentId,
                side,
                OrdType.LIMIT,
                TimeInForce.DAY,
                0,
                0);
    }

    /**
     * Returns the replacement of a live limit order, for the day.
     *
     * @param clOrdId ClOrdID that the order has afterwards; as for a new order
     * @param origClOrdId its ClOrdID so far
     * @param accountId the order's account
     * @param instrumentId the order's instrument
     * @param side the order's side
     * @param priceTicks new limit, in ticks
     * @param quantity the new total, filled and open together
     */
    public static Order replace(
            long clOrdId,
            long origClOrdId,
            int accountId,
            int instrumentId,
            Side side,
            long priceTicks,
            long quantity) {
        return new Order(
                Action.REPLACE,
                clOrdId,
                origClOrdId,
                accountId,
                instrumentId,
                side,
                OrdType.LIMIT,
                TimeInForce.DAY,
                priceTicks,
                quantity);
    }

    /**
     * Returns the cancel of all orders of the broker that pass a filter; {@code BrokerClient.massCancel} submits one
     * and returns how many it has cancelled.
     *
     * @param clOrdId id of the request itself, unsigned, not 0
     * @param filter which orders
     * @throws IllegalArgumentException if the filter is of the client's own session, which is not known here
     */
    public static Order massCancel(long clOrdId, MassCancelFilter filter) {
        if (filter.isOfOwnSession()) {
            throw new IllegalArgumentException(
                    "a filter of the client's own session: BrokerClient.massCancel takes it, or name the session");
        }
        int scope = (filter.accountId().isPresent() ? OF_ACCOUNT : 0)
                + (filter.session().isPresent() ? OF_SESSION : 0);
        return new Order(
                Action.MASS_CANCEL,
                clOrdId,
                NO_ORDER,
                filter.accountId().orElse(0),
                filter.instrumentId().orElse(0),
                filter.side().orElse(Side.NULL_VAL),
                OrdType.NULL_VAL,
                TimeInForce.NULL_VAL,
                filter.session().orElse(0),
                scope);
    }

    /**
     * Returns the entry that sets the time after which the orders of its session are cancelled if no batch of the
     * session follows; {@code BrokerClient.cancelAfter} submits and renews it.
     *
     * @param clOrdId id of the request itself, unsigned, not 0
     * @param units of 10 ms: 100..8,640,000; 0 switches it off
     */
    public static Order cancelAfter(long clOrdId, long units) {
        return new Order(
                Action.CANCEL_AFTER,
                clOrdId,
                NO_ORDER,
                0,
                0,
                Side.NULL_VAL,
                OrdType.NULL_VAL,
                TimeInForce.NULL_VAL,
                0,
                units);
    }

    /** Returns whether the entry is about no single order. */
    public boolean isRequest() {
        return action == Action.MASS_CANCEL || action == Action.CANCEL_AFTER;
    }

    /** Returns this entry with another TimeInForce(59). */
    public Order withTimeInForce(TimeInForce other) {
        return new Order(action, clOrdId, origClOrdId, accountId, instrumentId, side, ordType, other, price, quantity);
    }
}
