package io.sealbook.engine.output;

import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Walks the messages of a frame in order: SBE messages with their headers. Reusable, one thread at a time; the decoders
 * handed to the visitor are valid only during the call.
 */
public final class OutputMessages {
    /** Bytes of one trade with its header. */
    public static final int TRADE_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH + TradeDecoder.BLOCK_LENGTH;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final TradeDecoder trade = new TradeDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer();

    /** Takes the messages of a frame in order. */
    public interface Visitor {
        /**
         * Takes an execution report.
         *
         * @param index position of the message in its block, from 0
         * @param report its fields
         * @param bytes contain the message, header included, from {@code offset} on; valid during the call
         * @param offset in {@code bytes}
         */
        void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset);

        /**
         * Takes a trade.
         *
         * @param index position of the message in its block, from 0
         * @param trade its fields
         */
        void onTrade(int index, TradeDecoder trade);
    }

    /**
     * Visits every message.
     *
     * @param bytes holds messages in {@code 0..length}
     * @param length in bytes
     * @param firstIndex position in its block of the first message
     * @param visitor called once per message
     * @return number of messages
     * @throws IllegalArgumentException if the bytes are no sequence of whole messages
     */
    public int forEach(byte[] bytes, int length, int firstIndex, Visitor visitor) {
        buffer.wrap(bytes, 0, length);
        int offset = 0;
        int count = 0;
        while (offset < length) {
            require(MessageHeaderDecoder.ENCODED_LENGTH, offset, length);
            header.wrap(buffer, offset);
            int templateId = header.templateId();
            switch (templateId) {
                case ExecutionReportDecoder.TEMPLATE_ID -> {
                    require(ReportRecord.LENGTH, offset, length);
                    report.wrapAndApplyHeader(buffer, offset, header);
                    visitor.onReport(firstIndex + count, report, bytes, offset);
                    offset += ReportRecord.LENGTH;
                }
                case TradeDecoder.TEMPLATE_ID -> {
                    require(TRADE_LENGTH, offset, length);
                    trade.wrapAndApplyHeader(buffer, offset, header);
                    visitor.onTrade(firstIndex + count, trade);
                    offset += TRADE_LENGTH;
                }
                default ->
                    throw new IllegalArgumentException("output: template " + templateId + " at offset " + offset);
            }
            count++;
        }
        return count;
    }

    private static void require(int messageLength, int offset, int length) {
        if (messageLength > length - offset) {
            throw new IllegalArgumentException("output: a message ends after " + length + " bytes, begun at " + offset);
        }
    }
}
