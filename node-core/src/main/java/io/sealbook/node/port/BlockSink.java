package io.sealbook.node.port;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockLocation;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.Optional;

/** Where committed blocks are handed on to the engine: each once, in order. One thread at a time. */
public interface BlockSink {
    /**
     * Hands a block over; one that was handed over before is skipped.
     *
     * @param block its bytes are in the archive
     * @throws BrokenInvariantException if a block is missing between the last one and this one
     * @throws io.sealbook.node.port.StorageFailureException if it cannot be kept
     */
    void append(BlockLocation block);

    /**
     * Hands over a block that the caller has in memory; otherwise as {@link #append(BlockLocation)}.
     *
     * @param block its bytes are in the archive
     * @param content the block itself, which does not change any more
     */
    default void append(BlockLocation block, Block content) {
        append(block);
    }

    /** Returns the last block handed over, if there is one. */
    Optional<BlockLocation> last();

    /** Returns the sequence of the last block handed over; 0 when there is none. */
    long lastSequence();
}
