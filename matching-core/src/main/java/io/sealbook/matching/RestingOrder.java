package io.sealbook.matching;

import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/**
 * A live order as a query shows it. {@code quantity = cumQty + leavesQty}; price in ticks; cumValue is the sum of price
 * times quantity over its fills.
 */
public record RestingOrder(
        long orderId,
        int brokerId,
        long clOrdId,
        int accountId,
        int instrumentId,
        Side side,
        TimeInForce timeInForce,
        long price,
        long quantity,
        long leavesQty,
        long cumValue) {
    public long cumQty() {
        return quantity - leavesQty;
    }
}
