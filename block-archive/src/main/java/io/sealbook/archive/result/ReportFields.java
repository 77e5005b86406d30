package io.sealbook.archive.result;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An execution report as the engine made it. Identifiers are unsigned.
 *
 * @param reportSequence counts the broker's reports from 1
 * @param block that was executed
 * @param orderId FIX OrderID(37); 0 if none was given
 * @param execId FIX ExecID(17)
 * @param tradeId FIX TrdMatchID(880), else 0
 * @param clOrdId FIX ClOrdID(11)
 * @param origClOrdId FIX OrigClOrdID(41), else 0
 * @param priceTicks FIX Price(44)
 * @param quantityLots FIX OrderQty(38)
 * @param lastPxTicks FIX LastPx(31), else 0
 * @param lastQtyLots FIX LastQty(32), else 0
 * @param leavesQtyLots FIX LeavesQty(151)
 * @param cumQtyLots FIX CumQty(14)
 * @param transactTimeNs FIX TransactTime(60): the block's time, ns since 1970
 * @param brokerId whose report it is
 * @param accountId FIX Account(1)
 * @param instrumentId FIX SecurityID(48)
 * @param batchIndex of the entry that caused it, in the block; 4294967295 if none did
 * @param orderIndex of that entry in its batch; 65535 if none did
 * @param side FIX Side(54)
 * @param execType FIX ExecType(150)
 * @param ordStatus FIX OrdStatus(39)
 * @param rejectReason value of the schema's RejectReason, 0 if not refused
 */
public record ReportFields(
        long reportSequence,
        long block,
        long orderId,
        long execId,
        long tradeId,
        long clOrdId,
        long origClOrdId,
        long priceTicks,
        long quantityLots,
        long lastPxTicks,
        long lastQtyLots,
        long leavesQtyLots,
        long cumQtyLots,
        long transactTimeNs,
        int brokerId,
        int accountId,
        int instrumentId,
        long batchIndex,
        int orderIndex,
        byte side,
        byte execType,
        byte ordStatus,
        int rejectReason) {
    /** Bytes of the SBE message with its header. */
    public static final int MESSAGE_LENGTH = 153;

    private static final int CAUSE_OFFSET = 140;
    private static final int SIDE_OFFSET = 147;
    private static final int EXEC_TYPE_OFFSET = 150;

    /**
     * Reads the fields of a message, whatever they are.
     *
     * @param message an SBE ExecutionReport with its 8-byte header
     */
    public static ReportFields of(byte[] message) {
        ByteBuffer in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        return new ReportFields(
                in.getLong(8),
                in.getLong(16),
                in.getLong(24),
                in.getLong(32),
                in.getLong(40),
                in.getLong(48),
                in.getLong(56),
                in.getLong(64),
                in.getLong(72),
                in.getLong(80),
                in.getLong(88),
                in.getLong(96),
                in.getLong(104),
                in.getLong(120),
                in.getInt(128),
                in.getInt(132),
                in.getInt(136),
                Integer.toUnsignedLong(in.getInt(CAUSE_OFFSET)),
                Short.toUnsignedInt(in.getShort(CAUSE_OFFSET + Integer.BYTES)),
                in.get(SIDE_OFFSET),
                in.get(EXEC_TYPE_OFFSET),
                in.get(EXEC_TYPE_OFFSET + 1),
                Byte.toUnsignedInt(in.get(EXEC_TYPE_OFFSET + 2)));
    }
}
