package io.sealbook.consensus;

import io.sealbook.archive.BlockLocation;
import io.sealbook.node.port.BlockSink;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * No engine in this directory: blocks stay in the archive, from which followers get them. A queue of an earlier setting
 * is left as it is; the node hands over what it lacks when the setting is changed back.
 *
 * @param lastArchived last block of the archive
 */
record UnqueuedBlocks(LongSupplier lastArchived) implements BlockSink {
    @Override
    public void append(BlockLocation block) {}

    @Override
    public Optional<BlockLocation> last() {
        return Optional.empty();
    }

    @Override
    public long lastSequence() {
        return lastArchived.getAsLong();
    }
}
