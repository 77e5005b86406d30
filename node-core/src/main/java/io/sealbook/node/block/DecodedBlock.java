package io.sealbook.node.block;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * A block in the pipeline: its bytes, and the headers of its batches as an earlier stage decoded them. Any thread may
 * read it.
 */
public final class DecodedBlock {
    private final Block block;
    /** Null if the block came from the archive, or if the node is a laboratory that keeps nothing decoded. */
    private final BatchHeaders kept;

    private final HeaderDecoding decoding;

    DecodedBlock(Block block, BatchHeaders keptOrNull, HeaderDecoding decoding) {
        this.block = block;
        this.kept = keptOrNull;
        this.decoding = decoding;
    }

    public Block block() {
        return block;
    }

    /**
     * Returns the headers of the batches, for one pass of one thread. They are decoded only if no earlier stage has
     * left them.
     */
    public BatchHeaders headers() {
        return kept != null ? kept : decoding.read(block);
    }

    public BlockHeader header() {
        return block.header();
    }

    /** Returns the block's hash: SHA-256 of its header. */
    public Digest hash() {
        return block.hash();
    }

    /** Returns the id of a batch, from 0. */
    public Digest batchId(int batch) {
        return block.batchId(batch);
    }

    /** Returns the last batch of each session, ascending by session. */
    public List<SessionEnd> ends() {
        return SessionEnds.of(block, headers());
    }

    /** Returns the bytes that this object holds: the block's and those of its headers. */
    public int heldBytes() {
        return block.length() + (kept == null ? 0 : kept.count() * DecodedHeaders.BYTES_PER_BATCH);
    }
}
