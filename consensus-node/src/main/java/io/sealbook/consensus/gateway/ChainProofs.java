package io.sealbook.consensus.gateway;

import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/** Makes proofs of what the chain holds. */
public interface ChainProofs {
    /**
     * Returns the bytes of a proof that a batch is in a block.
     *
     * @param sequence of the block, in the archive
     * @param batchId of the batch
     * @return empty while no certificate covers the block yet
     * @throws IllegalArgumentException if the batch is not in the block
     */
    Optional<byte[]> proof(long sequence, Digest batchId);

    /**
     * Returns the bytes of a membership proof as of the newest certificate.
     *
     * @throws InclusionProver.NotProvableException if no block is certified yet
     * @throws MembershipUnknownException if a block with administrative batches has been moved away
     */
    byte[] membership();
}
