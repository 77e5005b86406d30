package io.sealbook.consensus.execution;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/**
 * An engine that a node runs inside itself, on the thread that commits. A node hands it every block of its archive
 * after {@link #restored} at each start. One thread at a time.
 */
public interface InProcessEngine extends AutoCloseable {
    /**
     * The last block of a state.
     *
     * @param sequence of the block, 1 or more
     * @param hash of the block
     * @param resultDigest of the state after the block
     */
    record Position(long sequence, Digest hash, Digest resultDigest) {}

    /** Returns the last block of the state that the engine starts from; empty if that is the empty market. */
    default Optional<Position> restored() {
        return Optional.empty();
    }

    /**
     * Returns whether the engine has to build its state again, because the node is isolated: the node is closed and
     * opened again then. Any thread.
     */
    default boolean isRebuildDue() {
        return false;
    }

    /** Serves readers from now on; called once, when the node starts. Any thread. */
    default void start() {}

    /**
     * Executes the next block; the caller waits.
     *
     * @param block the next one of the chain, the first is the one after {@link #restored}; its bytes must not be
     *     changed
     * @return result digest of the state after the block, equal on all members
     * @throws io.sealbook.vocabulary.OperatingFailureException if the engine cannot execute it; the node ends
     */
    Digest execute(Block block);

    /**
     * Does what is due between blocks, such as publishing depth; called after each block.
     *
     * @return nanoseconds after which it is to be called again even if no block comes; {@link Long#MAX_VALUE} if
     *     nothing is left
     */
    default long betweenBlocks() {
        return Long.MAX_VALUE;
    }

    /** Ends the engine, after the last block. */
    @Override
    default void close() {}
}
