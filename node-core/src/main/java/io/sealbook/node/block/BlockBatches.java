package io.sealbook.node.block;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** Reads the facts of a block's batches that the node keeps about them: whose, which nonce, valid until when. */
public final class BlockBatches {
    /** One batch of a block. */
    public record Entry(
            Digest batchId, int brokerId, long nonce, long validUntilBlock, int orderCount, int offset, int length) {}

    private BlockBatches() {}

    public static List<Entry> of(Block block) {
        BatchView batch = new BatchView();
        List<Entry> entries = new ArrayList<>(block.batchCount());
        for (int i = 0; i < block.batchCount(); i++) {
            int offset = block.batchOffset(i);
            int length = block.batchLength(i);
            batch.wrap(block.array(), offset, length);
            entries.add(new Entry(
                    block.batchId(i),
                    batch.brokerId(),
                    batch.nonce(),
                    batch.validUntilBlock(),
                    batch.orderCount(),
                    offset,
                    length));
        }
        return entries;
    }
}
