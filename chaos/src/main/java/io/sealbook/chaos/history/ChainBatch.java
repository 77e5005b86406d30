package io.sealbook.chaos.history;

import io.sealbook.client.Order;
import java.util.List;

/**
 * A batch in the chain.
 *
 * @param place of the batch
 * @param name as its header has it
 * @param blockHash of its block, in hexadecimal
 * @param validUntilBlock last block that may contain it, as its header has it
 * @param orders in the order of execution
 */
public record ChainBatch(BatchPlace place, BatchName name, String blockHash, long validUntilBlock, List<Order> orders) {
    /** Returns whether the batch is in a block after the last one that may contain it, where engines refuse it. */
    boolean isExpired() {
        return place.block() > validUntilBlock;
    }
}
