package io.sealbook.vocabulary.result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One result of the matching core: what happened to one order, in 32 bytes. A cell contains what the block does not:
 * with the entry that caused it, and with the entry and the cells before of the same order, it gives the order's
 * ExecutionReport.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       4       batchIndex of the entry that caused it, in the block; {@link #NO_BATCH} if none did
 *   4       2       orderIndex of that entry in its batch; {@link #NO_ORDER} if none did
 *   6       1       code of the {@link ResultEvent}
 *   7       1       RejectReason; 0 if nothing was refused
 *   8       8       OrderID(37), 0 if there is none; of INCOMING_FILL, whose order is that of the cell before with
 *                   the same cause, LastPx(31)
 *   16      8       TradeID(1003) of a fill; of MASS_CANCELED TotalAffectedOrders(533); CumQty(14) of any other event
 *   24      8       LastQty(32) of a fill; the quantity that was taken out by CANCELED or EXPIRED; of any other event
 *                   LeavesQty(151), which is 0 if a MASS_CANCELED is complete
 * </pre>
 *
 * The price of a RESTING_FILL is the resting order's own.
 *
 * @param batchIndex 0..{@link #NO_BATCH}
 * @param orderIndex 0..{@link #NO_ORDER}
 * @param event what happened
 * @param rejectReason value of the schema's RejectReason, 0..255
 * @param order the order's exchange id, or the price of an INCOMING_FILL in ticks
 * @param tradeOrCumQty id of the trade, or lots filled so far
 * @param quantity in lots
 */
public record ResultCell(
        long batchIndex,
        int orderIndex,
        ResultEvent event,
        int rejectReason,
        long order,
        long tradeOrCumQty,
        long quantity) {
    /** Bytes of a cell. */
    public static final int LENGTH = 32;

    /** In place of a batch index: no entry caused it. */
    public static final long NO_BATCH = 0xFFFF_FFFFL;

    /** In place of an order index: no entry caused it. */
    public static final int NO_ORDER = 0xFFFF;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ORDER_OFFSET = 8;
    private static final int TRADE_OFFSET = 16;
    private static final int QUANTITY_OFFSET = 24;
    private static final int ORDER_INDEX_SHIFT = 32;
    private static final int EVENT_SHIFT = 48;
    private static final int REASON_SHIFT = 56;
    private static final int BYTE = 0xFF;

    /**
     * Returns the cause of a cell, for {@link #head}.
     *
     * @param batchIndex 0..{@link #NO_BATCH}
     * @param orderIndex 0..{@link #NO_ORDER}
     */
    public static long cause(long batchIndex, int orderIndex) {
        return batchIndex | (long) orderIndex << ORDER_INDEX_SHIFT;
    }

    /**
     * Returns the first 8 bytes of a cell as a number.
     *
     * @param cause see {@link #cause}
     * @param event what happened
     * @param rejectReason 0..255
     */
    public static long head(long cause, ResultEvent event, int rejectReason) {
        return cause | (long) event.code() << EVENT_SHIFT | (long) rejectReason << REASON_SHIFT;
    }

    /**
     * Writes a cell by its four words. Allocates nothing.
     *
     * @param out has {@link #LENGTH} bytes from {@code at} on
     * @param at where the cell begins
     * @param head see {@link #head}
     * @param order the order's exchange id, or the price of an INCOMING_FILL
     * @param tradeOrCumQty id of the trade, or lots filled so far
     * @param quantity in lots
     */
    public static void put(byte[] out, int at, long head, long order, long tradeOrCumQty, long quantity) {
        LONG.set(out, at, head);
        LONG.set(out, at + ORDER_OFFSET, order);
        LONG.set(out, at + TRADE_OFFSET, tradeOrCumQty);
        LONG.set(out, at + QUANTITY_OFFSET, quantity);
    }

    /**
     * Writes the cell.
     *
     * @param out has {@link #LENGTH} bytes from {@code at} on
     * @param at where the cell begins
     */
    public void write(byte[] out, int at) {
        long head = head(cause(batchIndex, orderIndex), event, rejectReason);
        put(out, at, head, order, tradeOrCumQty, quantity);
    }

    /**
     * Reads a cell.
     *
     * @param bytes has {@link #LENGTH} bytes from {@code at} on
     * @param at where the cell begins
     * @throws IllegalArgumentException if its event means nothing
     */
    public static ResultCell read(byte[] bytes, int at) {
        long first = (long) LONG.get(bytes, at);
        return new ResultCell(
                first & NO_BATCH,
                (int) (first >>> ORDER_INDEX_SHIFT) & NO_ORDER,
                ResultEvent.of((int) (first >>> EVENT_SHIFT) & BYTE),
                (int) (first >>> REASON_SHIFT) & BYTE,
                (long) LONG.get(bytes, at + ORDER_OFFSET),
                (long) LONG.get(bytes, at + TRADE_OFFSET),
                (long) LONG.get(bytes, at + QUANTITY_OFFSET));
    }
}
