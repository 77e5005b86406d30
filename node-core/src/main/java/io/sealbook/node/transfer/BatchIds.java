package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.protocol.SignedBatch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Tells whether the batches of a block are those that its header commits to. */
final class BatchIds {
    private BatchIds() {}

    static boolean match(Block block) {
        MessageDigest sha256 = sha256();
        for (int i = 0; i < block.batchCount(); i++) {
            int length = block.batchLength(i) - SignedBatch.SIGNATURE_LENGTH;
            if (length < SignedBatch.ORDERS_OFFSET) {
                return false;
            }
            sha256.update(block.array(), block.batchOffset(i), length);
            if (!Arrays.equals(sha256.digest(), block.batchId(i))) {
                return false;
            }
        }
        return block.hasMerkleRoot();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
