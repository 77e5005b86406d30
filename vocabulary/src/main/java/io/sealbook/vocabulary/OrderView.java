package io.sealbook.vocabulary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One order of a signed batch, read in place. A view is reused: {@link #wrap} moves it. The bytes stay the caller's.
 *
 * <pre>
 *   offset  length  field            FIX
 *   0       8       clOrdId           11   unsigned
 *   8       8       origClOrdId       41   unsigned; 0 unless a cancel or replace
 *   16      8       price             44   ticks
 *   24      8       quantity          38   lots
 *   32      4       accountId          1   unsigned
 *   36      4       instrumentId      48   unsigned
 *   40      1       action            35   character
 *   41      1       side              54   character, or 0
 *   42      1       ordType           40   character, or 0
 *   43      1       timeInForce       59   character, or 0
 *   44      2       flags                  0
 *   46      2       reserved               0
 * </pre>
 *
 * Offsets are from the order's first byte. A field is read whatever the bytes are. One thread.
 */
public final class OrderView {
    private static final int CL_ORD_ID_OFFSET = 0;
    private static final int ORIG_CL_ORD_ID_OFFSET = 8;
    private static final int PRICE_OFFSET = 16;
    private static final int QUANTITY_OFFSET = 24;
    private static final int ACCOUNT_ID_OFFSET = 32;
    private static final int INSTRUMENT_ID_OFFSET = 36;
    private static final int ACTION_OFFSET = 40;
    private static final int SIDE_OFFSET = 41;
    private static final int ORD_TYPE_OFFSET = 42;
    private static final int TIME_IN_FORCE_OFFSET = 43;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int offset;

    /**
     * Moves this view to an order.
     *
     * @param batch for which {@link BatchView#isOrderBatch} is true; may move on afterwards
     * @param index of the order in it, from 0
     * @return this view
     * @throws IndexOutOfBoundsException if the batch has no such order; the view stays where it is
     */
    public OrderView wrap(BatchView batch, int index) {
        if (index < 0 || index >= batch.orderCount()) {
            throw new IndexOutOfBoundsException("order " + index + " of " + batch.orderCount());
        }
        bytes = batch.array();
        offset = batch.offset() + SignedBatch.ORDERS_OFFSET + index * SignedBatch.ORDER_LENGTH;
        return this;
    }

    public long clOrdId() {
        return (long) LONG.get(bytes, offset + CL_ORD_ID_OFFSET);
    }

    public long origClOrdId() {
        return (long) LONG.get(bytes, offset + ORIG_CL_ORD_ID_OFFSET);
    }

    public long priceTicks() {
        return (long) LONG.get(bytes, offset + PRICE_OFFSET);
    }

    public long quantityLots() {
        return (long) LONG.get(bytes, offset + QUANTITY_OFFSET);
    }

    public int accountId() {
        return (int) INT.get(bytes, offset + ACCOUNT_ID_OFFSET);
    }

    public int instrumentId() {
        return (int) INT.get(bytes, offset + INSTRUMENT_ID_OFFSET);
    }

    public byte actionCode() {
        return bytes[offset + ACTION_OFFSET];
    }

    public byte sideCode() {
        return bytes[offset + SIDE_OFFSET];
    }

    public byte ordTypeCode() {
        return bytes[offset + ORD_TYPE_OFFSET];
    }

    public byte timeInForceCode() {
        return bytes[offset + TIME_IN_FORCE_OFFSET];
    }
}
