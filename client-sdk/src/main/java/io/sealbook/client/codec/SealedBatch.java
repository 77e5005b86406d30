package io.sealbook.client.codec;

/**
 * An encoded and signed batch: the very bytes that are sent, sent again and archived.
 *
 * @param number of the batch in its session, from 1
 * @param batchId SHA-256 of the batch, 32 bytes; not to be modified
 * @param signedBytes OrderBatch, r, s, v; not to be modified
 * @param validUntilBlock last block that may contain it
 */
public record SealedBatch(long number, byte[] batchId, byte[] signedBytes, long validUntilBlock) {}
