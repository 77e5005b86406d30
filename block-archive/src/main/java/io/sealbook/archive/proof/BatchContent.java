package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.util.OptionalInt;

/** Whether the bytes of a batch are those that its id names: SHA-256 over the signed batch without its signature. */
public final class BatchContent {
    private BatchContent() {}

    /**
     * Returns whether a signed batch has an id.
     *
     * @param signedBatch the whole array
     * @param batchId expected
     * @return false too when the batch is shorter than a signature
     */
    public static boolean hasId(byte[] signedBatch, Digest batchId) {
        return BatchId.isOf(new Sha256(), signedBatch, 0, signedBatch.length, batchId);
    }

    /** Returns the index of the first batch of a block whose bytes have not its id; empty if all have. */
    public static OptionalInt firstMismatch(Block block) {
        Sha256 sha256 = new Sha256();
        for (int i = 0; i < block.batchCount(); i++) {
            if (!BatchId.isOf(sha256, block.array(), block.batchOffset(i), block.batchLength(i), block.batchId(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
