package io.sealbook.chaos.history;

import io.sealbook.client.Order;
import java.util.List;

/**
 * A batch in the chain.
 *
 * @param place of the batch
 * @param name as its header has it
 * @param blockHash of its block, in hexadecimal
 * @param orders in the order of execution
 */
public record ChainBatch(BatchPlace place, BatchName name, String blockHash, List<Order> orders) {}
