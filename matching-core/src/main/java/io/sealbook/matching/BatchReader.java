package io.sealbook.matching;

import io.sealbook.protocol.sbe.GroupSizeEncodingDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import io.sealbook.vocabulary.SignedBatch;
import org.agrona.DirectBuffer;

/**
 * Reads the structure of an OrderBatch, with or without the signature after it, and refuses bytes that are none.
 * Reused.
 */
final class BatchReader {
    private final int orderCountMax;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final GroupSizeEncodingDecoder group = new GroupSizeEncodingDecoder();
    private final OrderBatchDecoder batch = new OrderBatchDecoder();

    BatchReader(int orderCountMax) {
        this.orderCountMax = orderCountMax;
    }

    /**
     * Returns the decoder, or null when the bytes are not exactly one batch of 1..orderCountMax entries in this schema
     * version.
     */
    OrderBatchDecoder read(DirectBuffer buffer, int offset, int length) {
        if (length < SignedBatch.ORDERS_OFFSET) {
            return null;
        }
        header.wrap(buffer, offset);
        if (header.templateId() != OrderBatchDecoder.TEMPLATE_ID
                || header.schemaId() != OrderBatchDecoder.SCHEMA_ID
                || header.version() != OrderBatchDecoder.SCHEMA_VERSION
                || header.blockLength() != SignedBatch.ROOT_BLOCK_LENGTH) {
            return null;
        }
        group.wrap(buffer, offset + SignedBatch.MESSAGE_HEADER_LENGTH + SignedBatch.ROOT_BLOCK_LENGTH);
        int count = group.numInGroup();
        if (group.blockLength() != SignedBatch.ORDER_LENGTH || count == 0 || count > orderCountMax) {
            return null;
        }
        if (length != SignedBatch.batchLength(count) && length != SignedBatch.signedLength(count)) {
            return null;
        }
        return batch.wrap(
                buffer,
                offset + SignedBatch.MESSAGE_HEADER_LENGTH,
                SignedBatch.ROOT_BLOCK_LENGTH,
                OrderBatchDecoder.SCHEMA_VERSION);
    }
}
