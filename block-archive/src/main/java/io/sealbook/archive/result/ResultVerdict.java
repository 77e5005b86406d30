package io.sealbook.archive.result;

import io.sealbook.vocabulary.result.ResultCell;
import java.util.SortedSet;

/** What the verification of a result proof found. */
public sealed interface ResultVerdict {
    /**
     * Executing the block had this result.
     *
     * @param result what happened; the place in the proof says to which report it belongs
     * @param certifiedSequence block of the certificate
     * @param signers nodes whose signature under the certificate is valid, at least {@code quorum}
     * @param quorum number of nodes that is necessary
     * @param epoch of the certificate's block, as far as epochs are known, whose nodes signed
     */
    record ResultProven(ResultCell result, long certifiedSequence, SortedSet<Integer> signers, int quorum, int epoch)
            implements ResultVerdict {}

    /** Nothing is proven; {@code fact} says what was expected and what came. */
    record ResultRefused(ResultFault fault, String fact) implements ResultVerdict {}

    /** Which link of the evidence does not hold. */
    enum ResultFault {
        /** It belongs to another genesis file. */
        GENESIS,
        /** The leaf does not consist of cells, or has none of that index, or that cell means nothing. */
        RESULTS,
        /** The path does not have the length that the number of leaves requires. */
        MERKLE_PATH,
        /** Leaf, path and roots do not lead to the certified digest, or the certificate is of another block. */
        RESULT_DIGEST,
        /** Fewer than a quorum of nodes signed the certificate. */
        SIGNATURES
    }
}
