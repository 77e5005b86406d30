package io.sealbook.engine.history;

import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockWindow;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.engine.query.ReportedOrder;
import io.sealbook.engine.query.SignedOrders;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The last of the three paths to an order: the blocks. Any thread. */
@Component
class BlockOrderLookup implements SignedOrders {
    private final BlockHistory history;

    BlockOrderLookup(BlockHistory history) {
        this.history = history;
    }

    @Override
    public Optional<ReportedOrder> find(long brokerId, long clOrdId) {
        OrderQuery query = new OrderQuery((int) brokerId, clOrdId);
        return history.find(
                query,
                new BlockWindow(null, null, null, null),
                found -> found.entries().stream()
                        .filter(order -> order.fields().clOrdId() == clOrdId)
                        .reduce((earlier, later) -> later)
                        .map(BlockOrderLookup::signed));
    }

    private static ReportedOrder signed(ArchivedOrder order) {
        return ReportedOrder.signed(
                order.brokerId(), order.fields(), order.place().sequence(), order.blockTimeNs());
    }
}
