package io.sealbook.archive.position;

import io.sealbook.archive.order.OrderPlace;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Follows the results of one broker in order, from the first on, and returns which entries each fill refers to. One
 * thread.
 */
public final class CellOrders {
    private final Map<Long, Living> living = new HashMap<>();
    /** Of the last accepted or replaced result. */
    private OrderPlace inHandPlace;

    private long inHandOrderId;

    private record Living(OrderPlace accepted, OrderPlace priced, long leavesQty) {}

    /**
     * A fill.
     *
     * @param accepted place of the entry that made the order: its account, instrument and side
     * @param priced place of the entry whose price is that of the fill, if it was resting: the last replace, or the
     *     same
     * @param isResting whether the price is that of the entry; else it is in the result
     * @param priceTicks LastPx(31) of an incoming fill, else 0
     * @param quantityLots LastQty(32)
     */
    public record Fill(OrderPlace accepted, OrderPlace priced, boolean isResting, long priceTicks, long quantityLots) {}

    /**
     * Takes the next result.
     *
     * @param block that was executed
     * @param cell of the broker, in report order
     * @return the fill, if it is one
     * @throws IllegalArgumentException if it is a fill of an order that no result before has accepted
     */
    public Optional<Fill> next(long block, ResultCell cell) {
        OrderPlace cause = new OrderPlace(block, (int) cell.batchIndex(), cell.orderIndex());
        switch (cell.event()) {
            case ACCEPTED -> {
                living.put(cell.order(), new Living(cause, cause, cell.quantity()));
                hold(cell.order(), cause);
            }
            case REPLACED -> {
                Living before = require(cell.order(), "replaced");
                living.put(cell.order(), new Living(before.accepted, cause, cell.quantity()));
                hold(cell.order(), cause);
            }
            case CANCELED, EXPIRED -> living.remove(cell.order());
            case INCOMING_FILL, RESTING_FILL -> {
                return Optional.of(fill(cell, cause));
            }
            default -> {
                // Changes no order.
            }
        }
        return Optional.empty();
    }

    private void hold(long orderId, OrderPlace cause) {
        inHandOrderId = orderId;
        inHandPlace = cause;
    }

    private Fill fill(ResultCell cell, OrderPlace cause) {
        boolean isResting = cell.event() == ResultEvent.RESTING_FILL;
        if (!isResting && !cause.equals(inHandPlace)) {
            throw new IllegalArgumentException("an incoming fill of " + cause + ", which has accepted no order");
        }
        long orderId = isResting ? cell.order() : inHandOrderId;
        Living order = require(orderId, "filled");
        long leavesQty = order.leavesQty - cell.quantity();
        if (leavesQty > 0) {
            living.put(orderId, new Living(order.accepted, order.priced, leavesQty));
        } else {
            living.remove(orderId);
        }
        return new Fill(order.accepted, order.priced, isResting, isResting ? 0 : cell.order(), cell.quantity());
    }

    private Living require(long orderId, String what) {
        Living order = living.get(orderId);
        if (order == null) {
            throw new IllegalArgumentException(
                    "order " + Long.toUnsignedString(orderId) + " is " + what + ", and no result has accepted it");
        }
        return order;
    }
}
