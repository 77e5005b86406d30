package io.sealbook.consensus.execution;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.Digest;

/**
 * An engine that a node of experiments runs inside itself. It starts from the empty market, because a node hands it
 * every block of its archive at each start. One thread at a time.
 */
public interface InProcessEngine extends AutoCloseable {
    /**
     * Executes the next block; the caller waits.
     *
     * @param block the next one of the chain, the first is block 1; its bytes must not be changed
     * @return result digest of the state after the block, equal on all members
     * @throws io.sealbook.vocabulary.OperatingFailureException if the engine cannot execute it; the node ends
     */
    Digest execute(Block block);

    /** Ends the engine; nothing of its state need survive. */
    @Override
    default void close() {}
}
