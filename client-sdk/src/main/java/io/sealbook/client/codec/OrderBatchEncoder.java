package io.sealbook.client.codec;

import io.sealbook.client.Order;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Writes an OrderBatch in a buffer of its own, which it uses again for the next one; nothing is allocated per order.
 * The layout is drawn at {@link SignedBatch}; offsets inside a block follow {@code orders.xml}. One thread at a time.
 */
public final class OrderBatchEncoder {
    private static final int NUM_IN_GROUP_OFFSET = SignedBatch.ORDERS_OFFSET - 2;

    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final int orderCountMax;
    private int orderCount;

    /**
     * Creates an encoder of batches of at most {@code orderCountMax} entries, 1..{@link SignedBatch#ORDER_COUNT_LIMIT}.
     */
    public OrderBatchEncoder(int orderCountMax) {
        if (orderCountMax < 1 || orderCountMax > SignedBatch.ORDER_COUNT_LIMIT) {
            throw new IllegalArgumentException(
                    "orderCountMax " + orderCountMax + ", admitted are 1.." + SignedBatch.ORDER_COUNT_LIMIT);
        }
        this.orderCountMax = orderCountMax;
        this.bytes = new byte[SignedBatch.signedLength(orderCountMax)];
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Starts a batch; what was in the buffer is overwritten.
     *
     * @param chainId of the genesis file
     * @param brokerId unsigned
     * @param keyId 0..65,535
     * @param scheme of the signature that will follow
     * @param position of the batch in its session
     * @param validUntilBlock last block sequence that may contain the batch
     * @param sentTimeNs the broker's clock, ns since the epoch
     * @param timeToLive see {@link BatchView#timeToLive}, 0..{@link BatchView#TIME_TO_LIVE_MAX}
     */
    public void begin(
            long chainId,
            int brokerId,
            int keyId,
            SignatureScheme scheme,
            BatchPosition position,
            long validUntilBlock,
            long sentTimeNs,
            int timeToLive) {
        orderCount = 0;
        buffer.clear()
                .putShort((short) SignedBatch.ROOT_BLOCK_LENGTH)
                .putShort((short) BatchView.TEMPLATE_ID)
                .putShort((short) BatchView.SCHEMA_ID)
                .putShort((short) BatchView.SCHEMA_VERSION);
        buffer.putLong(chainId)
                .putLong(position.number())
                .putLong(validUntilBlock)
                .putLong(sentTimeNs);
        position.previous().write(bytes, buffer.position());
        buffer.position(buffer.position() + Digest.LENGTH)
                .putInt(brokerId)
                .putShort((short) keyId)
                .putShort((short) position.session())
                .putShort((short) scheme.code()) // and a reserved byte
                .putShort((short) timeToLive);
        buffer.putShort((short) SignedBatch.ORDER_LENGTH).putShort((short) 0);
    }

    /**
     * Starts a batch without a time to live; otherwise as the other.
     *
     * @param chainId of the genesis file
     * @param brokerId unsigned
     * @param keyId 0..65,535
     * @param scheme of the signature that will follow
     * @param position of the batch in its session
     * @param validUntilBlock last block sequence that may contain the batch
     * @param sentTimeNs the broker's clock, ns since the epoch
     */
    public void begin(
            long chainId,
            int brokerId,
            int keyId,
            SignatureScheme scheme,
            BatchPosition position,
            long validUntilBlock,
            long sentTimeNs) {
        begin(chainId, brokerId, keyId, scheme, position, validUntilBlock, sentTimeNs, 0);
    }

    /** @throws IllegalStateException if the batch is full */
    public void add(Order order) {
        if (orderCount == orderCountMax) {
            throw new IllegalStateException("batch is full: " + orderCountMax + " orders");
        }
        buffer.putLong(order.clOrdId())
                .putLong(order.origClOrdId())
                .putLong(order.price())
                .putLong(order.quantity())
                .putInt(order.accountId())
                .putInt(order.instrumentId())
                .put(order.action().value())
                .put(order.side().value())
                .put(order.ordType().value())
                .put(order.timeInForce().value())
                .putInt(0); // flags, reserved
        orderCount++;
    }

    /**
     * Ends the batch and returns its length in bytes, from the start of {@link #array()}; behind it is room for a
     * signature.
     */
    public int finish() {
        buffer.putShort(NUM_IN_GROUP_OFFSET, (short) orderCount);
        return buffer.position();
    }

    /** Returns the encoder's own array, which the next batch overwrites. */
    public byte[] array() {
        return bytes;
    }
}
