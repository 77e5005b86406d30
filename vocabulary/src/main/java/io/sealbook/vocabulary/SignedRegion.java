package io.sealbook.vocabulary;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Which bytes of a batch are signed: a domain tag, the chain, the batch id. The payload is hashed once, and SM2's Z ||
 * M stays two SM3 blocks.
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       "SBBATCH1"
 *   8       8       chain id, little-endian
 *   16      32      batch id
 * </pre>
 */
public final class SignedRegion {
    public static final int LENGTH = 48;
    /** Bytes of a batch id: SHA-256. */
    public static final int BATCH_ID_LENGTH = 32;

    private static final byte[] TAG = "SBBATCH1".getBytes(StandardCharsets.US_ASCII);

    private SignedRegion() {}

    /**
     * Writes the region.
     *
     * @param region receives {@link #LENGTH} bytes at {@code offset}
     * @param batchId holds {@link #BATCH_ID_LENGTH} bytes at {@code batchIdOffset}
     */
    public static void write(byte[] region, int offset, long chainId, byte[] batchId, int batchIdOffset) {
        System.arraycopy(TAG, 0, region, offset, TAG.length);
        ByteBuffer.wrap(region).order(ByteOrder.LITTLE_ENDIAN).putLong(offset + 8, chainId);
        System.arraycopy(batchId, batchIdOffset, region, offset + 16, BATCH_ID_LENGTH);
    }
}
