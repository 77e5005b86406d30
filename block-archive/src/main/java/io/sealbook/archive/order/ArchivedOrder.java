package io.sealbook.archive.order;

import io.sealbook.vocabulary.Digest;

/**
 * An order with its place and its batch.
 *
 * @param place in the chain
 * @param batchId by which a proof names the batch
 * @param brokerId of the broker that the batch names, unsigned; its signature has not been checked
 * @param blockTimeNs of the block, nanoseconds since 1970
 * @param fields as they were signed
 */
public record ArchivedOrder(OrderPlace place, Digest batchId, int brokerId, long blockTimeNs, OrderFields fields) {}
