package io.sealbook.consensus.gateway;

import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Makes proofs of what the chain holds. */
public interface ChainProofs {
    /**
     * Returns the bytes of a proof that a batch is in a block.
     *
     * @param sequence of the block, in the archive
     * @param batchId of the batch
     * @param isRead whether the caller may read what belongs to a broker; without that, the proof has the id of the
     *     batch and not the batch. A transaction of the administration is for every caller
     * @return empty while no certificate covers the block yet
     * @throws IllegalArgumentException if the batch is not in the block
     */
    Optional<byte[]> proof(long sequence, Digest batchId, IntPredicate isRead);

    /**
     * Returns the bytes of a membership proof as of the newest certificate.
     *
     * @throws InclusionProver.NotProvableException if no block is certified yet
     * @throws MembershipUnknownException if a block with administrative batches has been moved away
     */
    byte[] membership();
}
