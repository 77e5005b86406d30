package io.sealbook.archive.order;

/**
 * Where an order is in the chain.
 *
 * @param sequence of the block
 * @param batchIndex of the batch in the block, from 0
 * @param orderIndex of the order in the batch, from 0
 */
public record OrderPlace(long sequence, int batchIndex, int orderIndex) {}
