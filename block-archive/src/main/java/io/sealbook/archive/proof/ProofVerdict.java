package io.sealbook.archive.proof;

import java.util.SortedSet;

/** What a verification found. */
public sealed interface ProofVerdict {
    /**
     * The batch was ordered at this place.
     *
     * @param signers nodes whose signature under the certificate is valid, at least {@code quorum}
     * @param epoch of the certificate's block, as far as epochs are known, whose nodes signed
     * @param isContentProven true if the proof carries the batch and its hash is the batch id
     * @param isSignatureProven true if the signature of the carried batch is its sender's; false if the proof carries
     *     none, or the key that it names is not known here
     */
    record Proven(
            long sequence,
            int batchIndex,
            long blockTimeNs,
            long certifiedSequence,
            SortedSet<Integer> signers,
            int quorum,
            int epoch,
            boolean isContentProven,
            boolean isSignatureProven)
            implements ProofVerdict {}

    /** Nothing is proven; {@code fact} says what was expected and what came. */
    record Refused(Fault fault, String fact) implements ProofVerdict {}

    /** Which link of the evidence does not hold. */
    enum Fault {
        /** It belongs to another genesis file. */
        GENESIS,
        /** The carried batch is not the one of this id. */
        BATCH_CONTENT,
        /** The signature of the carried batch is not that of the broker or member whose key it names. */
        BATCH_SIGNATURE,
        /** The path does not lead from the batch id to the block's Merkle root. */
        MERKLE_PATH,
        /** The headers do not follow each other. */
        HEADER_CHAIN,
        /** The last header is not the one that was certified. */
        CHAIN_HASH,
        /** Fewer than a quorum of nodes signed the certificate. */
        SIGNATURES,
        /** Fewer than a quorum of the known nodes signed, and the chain has transactions that are not known. */
        EPOCH
    }
}
