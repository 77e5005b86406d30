package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.protocol.SignedBatch;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.OptionalInt;

/** Whether the bytes of a batch are those that its id names: SHA-256 over the signed batch without its signature. */
public final class BatchContent {
    private BatchContent() {}

    /** Tells whether a signed batch has this id; false too when it is shorter than a signature. */
    public static boolean hasId(byte[] signedBatch, byte[] batchId) {
        return hasId(sha256(), signedBatch, 0, signedBatch.length, batchId);
    }

    /** Returns the index of the first batch of a block whose bytes have not its id; empty if all have. */
    public static OptionalInt firstMismatch(Block block) {
        MessageDigest sha256 = sha256();
        for (int i = 0; i < block.batchCount(); i++) {
            if (!hasId(sha256, block.array(), block.batchOffset(i), block.batchLength(i), block.batchId(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private static boolean hasId(MessageDigest sha256, byte[] bytes, int offset, int length, byte[] batchId) {
        int batchLength = length - SignedBatch.SIGNATURE_LENGTH;
        if (batchLength < 1) {
            return false;
        }
        sha256.update(bytes, offset, batchLength);
        return Arrays.equals(sha256.digest(), batchId);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
