package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the messages of a frame, one behind another: SBE messages with their headers, and packed reports (see {@link PackedReports}). Reusable, one thread at a time; the decoders handed to
 * the visitor are valid only during the call.
 */
public final class OutputMessages {
    /** Bytes of one trade with its header. */
    public static final int TRADE_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + TradeDecoder.BLOCK_LENGTH;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final TradeDecoder trade = new TradeDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer();

    /** Is told each message of a frame in order. */
    public interface Visitor {
        /** @param index position of the message in its block, from 0 */
        void onReport(int index, ExecutionReportDecoder report, DirectBuffer buffer, int offset);

        /**
         * Takes reports of one broker that were packed one behind the other; see {@link ReportRecord}.
         *
         * @param firstSequence the first one's report sequence; the others have the next
         * @param count 1..{@link io.sealbook.matching.MatchingOutput#PACKED_RUN_MAX}
         * @param isFirst whether the first one is packed alone; no other is
         * @param bytes hold them in {@code offset..offset + length}
         */
        default void onPackedReports(
                int brokerId, long firstSequence, int count, boolean isFirst, byte[] bytes, int offset, int length) {
            throw new IllegalStateException("output: packed reports, where reports are expected whole");
        }

        /** @param index position of the message in its block, from 0 */
        void onTrade(int index, TradeDecoder trade);
    }

    /**
     * Visits every message.
     *
     * @param bytes holds messages in {@code 0..length}
     * @param firstIndex position in its block of the first message
     * @return number of messages
     * @throws IllegalArgumentException if the bytes are no sequence of whole messages
     */
    public int forEach(byte[] bytes, int length, int firstIndex, Visitor visitor) {
        buffer.wrap(bytes, 0, length);
        int offset = 0;
        int count = 0;
        while (offset < length) {
            header.wrap(buffer, offset);
            int templateId = header.templateId();
            switch (templateId) {
                case ExecutionReportDecoder.TEMPLATE_ID -> {
                    report.wrapAndApplyHeader(buffer, offset, header);
                    visitor.onReport(firstIndex + count, report, buffer, offset);
                    offset += ReportRecord.LENGTH;
                }
                case TradeDecoder.TEMPLATE_ID -> {
                    trade.wrapAndApplyHeader(buffer, offset, header);
                    visitor.onTrade(firstIndex + count, trade);
                    offset += TRADE_LENGTH;
                }
                case PackedReports.TEMPLATE_ID -> {
                    int packedLength = header.blockLength();
                    int reportCount = buffer.getShort(offset + PackedReports.COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN);
                    visitor.onPackedReports(
                            buffer.getInt(offset + PackedReports.BROKER_OFFSET, ByteOrder.LITTLE_ENDIAN),
                            buffer.getLong(offset + PackedReports.SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN),
                            reportCount,
                            buffer.getShort(offset + PackedReports.IS_FIRST_OFFSET, ByteOrder.LITTLE_ENDIAN) != 0,
                            bytes,
                            offset + PackedReports.HEADER_LENGTH,
                            packedLength);
                    offset += PackedReports.HEADER_LENGTH + packedLength;
                    count += reportCount - 1;
                }
                default ->
                    throw new IllegalArgumentException("output: template " + templateId + " at offset " + offset);
            }
            count++;
        }
        return count;
    }
}
