package io.sealbook.peer.frame;

import io.sealbook.vocabulary.Digest;

/**
 * A signed batch to be sent, alone or among others in one frame.
 *
 * @param id SHA-256 of the batch without its signature; a wrong one makes the receiver close the connection
 * @param signedBatch not to be changed any more
 */
public record FramedBatch(Digest id, byte[] signedBatch) {}
