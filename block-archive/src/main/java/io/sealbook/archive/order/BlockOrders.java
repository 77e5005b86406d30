package io.sealbook.archive.order;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OrderView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the orders of blocks. It allocates for the orders that it finds only, so that a search over many blocks leaves
 * nothing behind. Reused by one thread.
 */
public final class BlockOrders {
    private final BatchView batch = new BatchView();
    private final OrderView order = new OrderView();

    /**
     * Returns whether a batch has the layout of a batch of orders in this version of the schema. Nodes order no other;
     * a forged file may hold one.
     *
     * @param block that holds the batch
     * @param batchIndex from 0 to {@link Block#batchCount} - 1
     */
    public boolean isOrderBatch(Block block, int batchIndex) {
        return isOrderBatch(block.array(), block.batchOffset(batchIndex), block.batchLength(batchIndex));
    }

    /**
     * Returns the orders of a batch, in the order in which they are executed.
     *
     * @param block that holds the batch
     * @param batchIndex from 0 to {@link Block#batchCount} - 1
     * @return empty if it is no batch of orders
     */
    public List<ArchivedOrder> of(Block block, int batchIndex) {
        List<ArchivedOrder> orders = new ArrayList<>();
        if (isOrderBatch(block, batchIndex)) {
            Digest batchId = block.batchId(batchIndex);
            for (int i = 0; i < batch.orderCount(); i++) {
                orders.add(archived(block, batchIndex, batchId, i));
            }
        }
        return orders;
    }

    /**
     * Finds the orders of a block that a query asks for. It keeps none of them: a block may have hundreds of thousands.
     *
     * @param block whose batches are read; those that are no batch of orders are passed over
     * @param query which orders
     * @param found is given each, in the order of execution; those of one batch share its id
     */
    public void matching(Block block, OrderQuery query, Consumer<ArchivedOrder> found) {
        for (int batchIndex = 0; batchIndex < block.batchCount(); batchIndex++) {
            if (!isOrderBatch(block, batchIndex) || batch.brokerId() != query.brokerId()) {
                continue;
            }
            Digest batchId = null;
            for (int i = 0; i < batch.orderCount(); i++) {
                if (query.matches(order.wrap(batch, i))) {
                    batchId = batchId == null ? block.batchId(batchIndex) : batchId;
                    found.accept(archived(block, batchIndex, batchId, i));
                }
            }
        }
    }

    /**
     * Returns the orders of a batch that is in no block, such as that of a proof.
     *
     * @param signedBatch with its signature
     * @return empty if it is no batch of orders
     */
    public List<OrderFields> of(byte[] signedBatch) {
        List<OrderFields> orders = new ArrayList<>();
        if (isOrderBatch(signedBatch, 0, signedBatch.length)) {
            for (int i = 0; i < batch.orderCount(); i++) {
                orders.add(OrderFields.of(order.wrap(batch, i)));
            }
        }
        return orders;
    }

    private boolean isOrderBatch(byte[] bytes, int offset, int length) {
        return length >= SignedBatch.signedLength(0)
                && batch.wrap(bytes, offset, length).isOrderBatch();
    }

    private ArchivedOrder archived(Block block, int batchIndex, Digest batchId, int orderIndex) {
        return new ArchivedOrder(
                new OrderPlace(block.header().sequence(), batchIndex, orderIndex),
                batchId,
                batch.brokerId(),
                block.header().blockTimeNs(),
                OrderFields.of(order.wrap(batch, orderIndex)));
    }
}
