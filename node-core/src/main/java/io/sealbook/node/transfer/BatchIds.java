package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.vocabulary.SignedBatch;

/** Tells whether the batches of a block are those that its header commits to. */
final class BatchIds {
    private BatchIds() {}

    static boolean match(Block block) {
        for (int i = 0; i < block.batchCount(); i++) {
            if (block.batchLength(i) < SignedBatch.signedLength(0)) {
                return false;
            }
        }
        return BatchContent.firstMismatch(block).isEmpty() && block.hasMerkleRoot();
    }
}
