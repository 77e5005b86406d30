package io.sealbook.client.codec;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads SBE ExecutionReports. A later schema may append fields: the block length in the header says where a message
 * ends, and bytes after the known fields are skipped. Stateless; any thread.
 *
 * <pre>
 *   0    8   SBE message header (blockLength, templateId 2, schemaId 1, version)
 *   8    120 fifteen 64-bit fields, reportSequence .. transactTimeNs
 *   128  16  brokerId, accountId, instrumentId, batchIndex
 *   144  2   orderIndex
 *   146  7   action, side, ordType, timeInForce, execType, ordStatus, rejectReason
 * </pre>
 */
public final class ExecutionReportDecoder {
    public static final int HEADER_LENGTH = 8;
    /** Bytes of the fields known here. */
    public static final int BLOCK_LENGTH = 145;

    private static final int TEMPLATE_ID = 2;
    private static final int SCHEMA_ID = 1;
    private static final int BROKER_ID_OFFSET = HEADER_LENGTH + 120;
    private static final int MASK_16 = 0xFFFF;

    private ExecutionReportDecoder() {}

    /**
     * Returns the length of the message that starts at {@code offset}, header included.
     *
     * @param buffer little-endian
     * @param offset where the message begins, in bytes
     * @throws IllegalArgumentException if the bytes there are no whole ExecutionReport
     */
    public static int length(ByteBuffer buffer, int offset) {
        requireLittleEndian(buffer);
        int available = buffer.limit() - offset;
        if (available < HEADER_LENGTH) {
            throw new IllegalArgumentException(
                    "report header needs " + HEADER_LENGTH + " bytes, " + available + " left");
        }
        int blockLength = buffer.getShort(offset) & MASK_16;
        int templateId = buffer.getShort(offset + 2) & MASK_16;
        int schemaId = buffer.getShort(offset + 4) & MASK_16;
        if (templateId != TEMPLATE_ID || schemaId != SCHEMA_ID) {
            throw new IllegalArgumentException("template " + templateId + " of schema " + schemaId + ", expected "
                    + TEMPLATE_ID + " of " + SCHEMA_ID);
        }
        if (blockLength < BLOCK_LENGTH || blockLength > available - HEADER_LENGTH) {
            throw new IllegalArgumentException("block of " + blockLength + " bytes, expected at least " + BLOCK_LENGTH
                    + " and at most " + (available - HEADER_LENGTH));
        }
        return HEADER_LENGTH + blockLength;
    }

    /**
     * Returns the sequence of the report at {@code offset}, which {@link #length} has accepted.
     *
     * @param buffer little-endian
     * @param offset where the message begins, in bytes
     */
    public static long reportSequence(ByteBuffer buffer, int offset) {
        return buffer.getLong(offset + HEADER_LENGTH);
    }

    /**
     * Returns the receiver of the report at {@code offset}, which {@link #length} has accepted.
     *
     * @param buffer little-endian
     * @param offset where the message begins, in bytes
     */
    public static int brokerId(ByteBuffer buffer, int offset) {
        return buffer.getInt(offset + BROKER_ID_OFFSET);
    }

    /**
     * Reads the report at {@code offset}.
     *
     * @param buffer little-endian; its position is neither used nor moved
     * @param offset where the message begins, in bytes
     * @throws IllegalArgumentException if the bytes there are no whole report or an enumeration holds an unknown value
     */
    public static ExecutionReport decode(ByteBuffer buffer, int offset) {
        length(buffer, offset);
        int at = offset + HEADER_LENGTH;
        int ints = offset + BROKER_ID_OFFSET;
        int enums = ints + 18;
        return new ExecutionReport(
                buffer.getLong(at),
                buffer.getLong(at + 8),
                buffer.getLong(at + 16),
                buffer.getLong(at + 24),
                buffer.getLong(at + 32),
                buffer.getLong(at + 40),
                buffer.getLong(at + 48),
                buffer.getLong(at + 56),
                buffer.getLong(at + 64),
                buffer.getLong(at + 72),
                buffer.getLong(at + 80),
                buffer.getLong(at + 88),
                buffer.getLong(at + 96),
                buffer.getLong(at + 104),
                buffer.getLong(at + 112),
                buffer.getInt(ints),
                buffer.getInt(ints + 4),
                buffer.getInt(ints + 8),
                buffer.getInt(ints + 12),
                buffer.getShort(ints + 16) & MASK_16,
                Action.get(buffer.get(enums)),
                Side.get(buffer.get(enums + 1)),
                OrdType.get(buffer.get(enums + 2)),
                TimeInForce.get(buffer.get(enums + 3)),
                ExecType.get(buffer.get(enums + 4)),
                OrdStatus.get(buffer.get(enums + 5)),
                RejectReason.get((short) (buffer.get(enums + 6) & 0xFF)));
    }

    private static void requireLittleEndian(ByteBuffer buffer) {
        if (buffer.order() != ByteOrder.LITTLE_ENDIAN) {
            throw new IllegalArgumentException("buffer is " + buffer.order() + ", reports are little-endian");
        }
    }
}
