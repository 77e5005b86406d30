package io.sealbook.vocabulary;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A batch that carries one administrative transaction instead of orders, in a session of the member that proposes it.
 * Message header and root block are those of an order batch, so that a {@link BatchView} reads all their fields.
 *
 * <pre>
 *   offset   length  type        meaning
 *   0        2       u16         blockLength of the root, 76
 *   2        2       u16         templateId, {@link #TEMPLATE_ID}
 *   4        2       u16         schemaId, 1
 *   6        2       u16         version, 1
 *   8        8       u64         chain id
 *   16       8       u64         number of the batch in its session, from 1
 *   24       8       u64         validUntilBlock; judges nothing here
 *   32       8       i64         the proposer's clock, nanoseconds since 1970; information only
 *   40       32      bytes       id of the batch before in the session; zeros for number 1
 *   72       4       u32         {@link SessionKey#ADMINISTRATION} in place of a broker's id
 *   76       2       u16         key id: how many identity keys the proposer had before
 *   78       2       u16         session: node id of the proposer
 *   80       1       u8          signature scheme of the identity key
 *   81       3       bytes       0
 *   84       4       u32         length L of the transaction, 1..{@link #TRANSACTION_LENGTH_MAX}
 *   88       L       bytes       the transaction
 *   88 + L   32      big-endian  r
 *   120 + L  32      big-endian  s
 *   152 + L  1       u8          recovery byte v
 * </pre>
 *
 * Numbers are little-endian. Id and signed region are made as for an order batch: {@link BatchId},
 * {@link SignedRegion}.
 */
public final class AdministrativeBatch {
    /** SBE template of an administrative batch in the schema of the orders. */
    public static final int TEMPLATE_ID = 2;
    /** Where the length of the transaction is. */
    public static final int LENGTH_OFFSET = 84;
    /** Where the transaction begins. */
    public static final int TRANSACTION_OFFSET = 88;
    /** Bytes of a transaction at most. */
    public static final int TRANSACTION_LENGTH_MAX = 16_384;

    /** No block is after it. */
    private static final long VALID_FOR_EVER = Long.MAX_VALUE;

    private AdministrativeBatch() {}

    /** Returns the bytes of an administrative batch with its signature. */
    public static int signedLength(int transactionLength) {
        return TRANSACTION_OFFSET + transactionLength + SignedBatch.SIGNATURE_LENGTH;
    }

    /**
     * Returns a new batch of a node that has its first identity key; see {@link #unsigned(long, BatchPosition, int,
     * int, long, byte[])}.
     *
     * @param chainId of the genesis file
     * @param position in the session of the proposer
     * @param schemeCode of the proposer's identity key
     * @param sentTimeNs the proposer's clock
     * @param transaction 1..{@link #TRANSACTION_LENGTH_MAX} bytes; copied
     */
    public static byte[] unsigned(
            long chainId, BatchPosition position, int schemeCode, long sentTimeNs, byte[] transaction) {
        return unsigned(chainId, position, 0, schemeCode, sentTimeNs, transaction);
    }

    /**
     * Returns a new batch whose signature is zeros. The caller signs {@link #signedRegion} with the identity key of the
     * proposer and puts the signature into the last {@link SignedBatch#SIGNATURE_LENGTH} bytes.
     *
     * @param chainId of the genesis file
     * @param position in the session of the proposer; the session is its node id
     * @param keyId how many identity keys the proposer had before, 0..65,535
     * @param schemeCode of the proposer's identity key
     * @param sentTimeNs the proposer's clock, nanoseconds since 1970; information only
     * @param transaction 1..{@link #TRANSACTION_LENGTH_MAX} bytes; copied
     * @throws IllegalArgumentException if the transaction is empty or too long
     */
    public static byte[] unsigned(
            long chainId, BatchPosition position, int keyId, int schemeCode, long sentTimeNs, byte[] transaction) {
        if (transaction.length < 1 || transaction.length > TRANSACTION_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "transaction of " + transaction.length + " bytes, expected 1.." + TRANSACTION_LENGTH_MAX);
        }
        byte[] batch = new byte[signedLength(transaction.length)];
        ByteBuffer buffer = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putShort((short) SignedBatch.ROOT_BLOCK_LENGTH);
        buffer.putShort((short) TEMPLATE_ID);
        buffer.putShort((short) BatchView.SCHEMA_ID);
        buffer.putShort((short) BatchView.SCHEMA_VERSION);
        buffer.putLong(chainId);
        buffer.putLong(position.number());
        buffer.putLong(VALID_FOR_EVER);
        buffer.putLong(sentTimeNs);
        position.previous().write(batch, buffer.position());
        buffer.position(buffer.position() + Digest.LENGTH);
        buffer.putInt(SessionKey.ADMINISTRATION);
        buffer.putShort((short) keyId);
        buffer.putShort((short) position.session());
        buffer.putInt(schemeCode);
        buffer.putInt(transaction.length);
        buffer.put(transaction);
        return batch;
    }

    /**
     * Returns the bytes that the proposer signs.
     *
     * @param batch with room for its signature
     */
    public static byte[] signedRegion(byte[] batch) {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, new BatchView().wrap(batch).chainId(), BatchId.of(batch));
        return region;
    }

    /**
     * Returns a copy of the transaction.
     *
     * @param batch for which {@link BatchView#isAdministrative} is true
     */
    public static byte[] transaction(BatchView batch) {
        int from = batch.offset() + TRANSACTION_OFFSET;
        return Arrays.copyOfRange(batch.array(), from, from + batch.transactionLength());
    }
}
