package io.sealbook.client;

import java.util.Arrays;
import java.util.SortedSet;

/**
 * Evidence that a batch stands at its place of the chain, with the signed bytes of the batch. Who has the genesis file
 * needs nothing else to verify it: {@code block-archive.jar verify-proof} judges the file offline.
 *
 * @param file bytes of the proof, for a file or another party; not to be modified. Drawn in
 *     {@code block-archive/doc/proof-format.md}
 * @param blockSequence block that holds the batch
 * @param batchIndex position of the batch in the block, from 0
 * @param certifiedSequence block of the certificate: this one or a later one
 * @param signers ids of the nodes whose signature under the certificate was verified, at least a quorum
 */
public record BatchProof(
        byte[] file, long blockSequence, int batchIndex, long certifiedSequence, SortedSet<Integer> signers) {
    @Override
    public boolean equals(Object other) {
        return other instanceof BatchProof that && Arrays.equals(file, that.file);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(file);
    }

    @Override
    public String toString() {
        return "BatchProof[batch " + blockSequence + "/" + batchIndex + ", certified at block " + certifiedSequence
                + " by nodes " + signers + "]";
    }
}
