package io.sealbook.node.admission;

import io.sealbook.vocabulary.Digest;

/**
 * A batch between its arrival and its decoding.
 *
 * @param source receives the verdict
 * @param correlationId returned to the source with the verdict
 * @param bytes of the signed batch; not changed any more
 * @param knownBatchId id that the transport has computed from the bytes; null if it has not
 * @param receivedNanos monotonic clock at arrival
 */
public record ArrivedBatch(
        BatchSource source, long correlationId, byte[] bytes, Digest knownBatchId, long receivedNanos) {}
