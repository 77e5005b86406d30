package io.sealbook.client;

import java.util.List;

/**
 * The broker's orders that rest, as f + 1 engines report them of the same block.
 *
 * @param asOfBlock they rest at its end
 * @param reportSequence the broker's last report up to that block
 * @param orders the last report on each order, by OrderID; at most 10,000
 * @param isComplete whether there are no further ones; if not, ask again after the last OrderID
 */
public record OpenOrders(long asOfBlock, long reportSequence, List<ExecutionReport> orders, boolean isComplete) {
    public OpenOrders {
        orders = List.copyOf(orders);
    }
}
