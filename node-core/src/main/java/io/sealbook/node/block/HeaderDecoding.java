package io.sealbook.node.block;

import io.sealbook.archive.Block;
import java.util.function.IntConsumer;

/**
 * Whether a stage of the pipeline uses the headers that an earlier one decoded, and the count of those that are decoded
 * after admission. Any thread.
 *
 * @param policy of this node
 * @param counter gets the number of headers that are decoded, before they are
 */
public record HeaderDecoding(Policy policy, IntConsumer counter) {
    /** How often the header of a batch is decoded on its way through a node. */
    public enum Policy {
        /** At admission, or when a transferred block is checked; the decoded form stays with payload and block. */
        ONCE,
        /** At commit, for each follower of receipts, and at the adoption of a transferred block again. */
        EVERY_STAGE
    }

    /**
     * Puts a block together with the headers of its batches.
     *
     * @param block the headers' block
     * @param headers complete; not changed any more
     */
    public DecodedBlock with(Block block, DecodedHeaders headers) {
        return new DecodedBlock(block, policy == Policy.ONCE ? headers : null, this);
    }

    /** Returns a block from the archive, whose headers are decoded if they are needed. */
    public DecodedBlock fromArchive(Block block) {
        return new DecodedBlock(block, null, this);
    }

    /** Counts headers that a stage outside of this package decodes. */
    public void count(int headers) {
        counter.accept(headers);
    }

    BatchHeaders read(Block block) {
        counter.accept(block.batchCount());
        return new HeadersInPlace(block);
    }
}
