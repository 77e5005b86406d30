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

    private static final int BATCH_ID_OFFSET = 16;
    private static final byte[] TAG = "SBBATCH1".getBytes(StandardCharsets.US_ASCII);

    private SignedRegion() {}

    /**
     * Writes the region.
     *
     * @param region receives {@link #LENGTH} bytes
     * @param offset of the first byte that is written
     * @param chainId any number
     * @param batchId holds {@link #BATCH_ID_LENGTH} bytes
     * @param batchIdOffset of the first of them
     */
    public static void write(byte[] region, int offset, long chainId, byte[] batchId, int batchIdOffset) {
        writeHead(region, offset, chainId);
        System.arraycopy(batchId, batchIdOffset, region, offset + BATCH_ID_OFFSET, BATCH_ID_LENGTH);
    }

    /**
     * Writes the region.
     *
     * @param region receives {@link #LENGTH} bytes
     * @param offset of the first byte that is written
     * @param chainId any number
     * @param batchId of the batch that is signed
     */
    public static void write(byte[] region, int offset, long chainId, Digest batchId) {
        writeHead(region, offset, chainId);
        batchId.write(region, offset + BATCH_ID_OFFSET);
    }

    private static void writeHead(byte[] region, int offset, long chainId) {
        System.arraycopy(TAG, 0, region, offset, TAG.length);
        ByteBuffer.wrap(region).order(ByteOrder.LITTLE_ENDIAN).putLong(offset + TAG.length, chainId);
    }
}
