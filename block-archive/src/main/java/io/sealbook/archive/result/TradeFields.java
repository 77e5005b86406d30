package io.sealbook.archive.result;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A trade as the engine made it: both sides of one pairing. Identifiers are unsigned.
 *
 * @param tradeId FIX TrdMatchID(880)
 * @param block that was executed
 * @param priceTicks FIX LastPx(31)
 * @param quantityLots FIX LastQty(32)
 * @param timeNs the block's time, ns since 1970
 * @param instrumentId FIX SecurityID(48)
 * @param aggressorSide FIX AggressorSide(2446)
 * @param buy the buying order
 * @param sell the selling order
 */
public record TradeFields(
        long tradeId,
        long block,
        long priceTicks,
        long quantityLots,
        long timeNs,
        int instrumentId,
        byte aggressorSide,
        TradeSide buy,
        TradeSide sell) {
    /** Bytes of the SBE message with its header. */
    public static final int MESSAGE_LENGTH = 101;

    /**
     * One side of a trade.
     *
     * @param orderId FIX OrderID(37)
     * @param clOrdId FIX ClOrdID(11)
     * @param brokerId whose order it is
     * @param accountId FIX Account(1)
     */
    public record TradeSide(long orderId, long clOrdId, int brokerId, int accountId) {}

    /**
     * Reads the fields of a message, whatever they are.
     *
     * @param message an SBE Trade with its 8-byte header
     */
    public static TradeFields of(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return new TradeFields(
                in.getLong(8),
                in.getLong(16),
                in.getLong(56),
                in.getLong(64),
                in.getLong(72),
                in.getInt(80),
                in.get(100),
                new TradeSide(in.getLong(24), in.getLong(40), in.getInt(84), in.getInt(92)),
                new TradeSide(in.getLong(32), in.getLong(48), in.getInt(88), in.getInt(96)));
    }
}
