package io.sealbook.node.commit;

import io.sealbook.archive.Block;
import io.sealbook.pbft.Digest;
import io.sealbook.protocol.SignedBatch;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrderBatchDecoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads the facts of a block's batches that the node keeps about them: whose, which nonce, valid until when. */
public final class BlockBatches {
    /** One batch of a block. */
    public record Entry(
            Digest batchId, int brokerId, long nonce, long validUntilBlock, int orderCount, int offset, int length) {}

    private BlockBatches() {}

    public static List<Entry> of(Block block) {
        UnsafeBuffer buffer = new UnsafeBuffer(block.array());
        OrderBatchDecoder batch = new OrderBatchDecoder();
        List<Entry> entries = new ArrayList<>(block.batchCount());
        for (int i = 0; i < block.batchCount(); i++) {
            int offset = block.batchOffset(i);
            int length = block.batchLength(i);
            batch.wrap(
                    buffer,
                    offset + MessageHeaderDecoder.ENCODED_LENGTH,
                    OrderBatchDecoder.BLOCK_LENGTH,
                    OrderBatchDecoder.SCHEMA_VERSION);
            entries.add(new Entry(
                    Digest.of(block.array(), block.batchIdOffset(i)),
                    (int) batch.brokerId(),
                    batch.nonce(),
                    batch.validUntilBlock(),
                    (length - SignedBatch.signedLength(0)) / SignedBatch.ORDER_LENGTH,
                    offset,
                    length));
        }
        return entries;
    }
}
