package io.sealbook.vocabulary;

/**
 * A batch as it travels and as it is archived: the SBE OrderBatch, then its signature.
 *
 * <pre>
 *   offset          length  meaning
 *   0               8       SBE message header (blockLength 76, templateId 1, schemaId 1, version 1)
 *   8               76      OrderBatch root block
 *   84              4       group header (blockLength 48, numInGroup)
 *   88              48 x n  orders
 *   88 + 48 n       32      r, big-endian
 *   120 + 48 n      32      s, big-endian
 *   152 + 48 n      1       recovery byte v: 0..3 for secp256k1, 0 for SM2
 * </pre>
 *
 * The batch id is SHA-256 over the first {@code 88 + 48 n} bytes.
 */
public final class SignedBatch {
    public static final int MESSAGE_HEADER_LENGTH = 8;
    public static final int ROOT_BLOCK_LENGTH = 76;
    public static final int GROUP_HEADER_LENGTH = 4;
    public static final int ORDER_LENGTH = 48;
    /** Offset of the first order. */
    public static final int ORDERS_OFFSET = MESSAGE_HEADER_LENGTH + ROOT_BLOCK_LENGTH + GROUP_HEADER_LENGTH;
    /** Bytes of r, s and v after the batch. */
    public static final int SIGNATURE_LENGTH = 65;
    /** No genesis file may admit more orders in one batch. */
    public static final int ORDER_COUNT_LIMIT = 1024;

    private SignedBatch() {}

    /** Returns the bytes of an encoded batch without its signature. */
    public static int batchLength(int orderCount) {
        return ORDERS_OFFSET + orderCount * ORDER_LENGTH;
    }

    /** Returns the bytes of an encoded batch with its signature. */
    public static int signedLength(int orderCount) {
        return batchLength(orderCount) + SIGNATURE_LENGTH;
    }
}
