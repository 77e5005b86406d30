package io.sealbook.node.follow;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A member's signature on the number and hash of a block that it has delivered. f + 1 of them from different members
 * prove the chain up to this block, because one of these members is correct. Between two checkpoints nothing else does.
 *
 * <pre>
 *   signed bytes, little-endian: "SBHEAD01" (8), chain id (8), sequence (8), block hash (32)
 * </pre>
 *
 * @param nodeId the member, from 0
 * @param sequence of the block, 1 and up
 * @param blockHash of the block
 * @param signature 65 bytes, not to be changed
 */
public record MemberHead(int nodeId, long sequence, Digest blockHash, byte[] signature) {
    private static final byte[] TAG = "SBHEAD01".getBytes(StandardCharsets.US_ASCII);

    /**
     * Returns the bytes that the member signs.
     *
     * @param chainId of the genesis file
     * @param sequence of the block
     * @param blockHash of the block
     */
    public static byte[] signedBytes(long chainId, long sequence, Digest blockHash) {
        return ByteBuffer.allocate(TAG.length + 2 * Long.BYTES + Sha256.LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .putLong(chainId)
                .putLong(sequence)
                .put(blockHash.bytes())
                .array();
    }
}
