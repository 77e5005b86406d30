package io.sealbook.consensus.gateway;

import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/** Makes proofs that a batch is in a block. */
@FunctionalInterface
public interface BatchProofs {
    /**
     * Returns the bytes of a proof.
     *
     * @param sequence of the block, in the archive
     * @param batchId of the batch
     * @return empty while no certificate covers the block yet
     * @throws IllegalArgumentException if the batch is not in the block
     */
    Optional<byte[]> proof(long sequence, Digest batchId);
}
