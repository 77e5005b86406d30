package io.sealbook.node;

import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.restart.HeadsAtStart;
import java.util.List;

/**
 * The blocks that a start reads: those whose batches could be sent again, those since the heads of sessions were
 * written, and those that the engine's side lacks. A node that cannot read one of them takes no part: it fetches the
 * damaged ones from peers first. One thread.
 */
final class BlocksAtStart {
    private final BlockArchive archive;
    private final long first;
    private final long firstHandedOver;

    /**
     * @param setup of the node
     * @param files of the node
     * @param sink where blocks are handed on
     */
    BlocksAtStart(NodeSetup setup, NodeFiles files, BlockSink sink) {
        archive = files.archive();
        long window = archive.lastSequence() - setup.windowBlocks() + 1;
        long heads = new HeadsAtStart(archive, files.sessionHeads()).firstRead();
        first = Math.max(archive.firstSequence(), Math.min(window, heads));
        firstHandedOver = Math.min(sink.lastSequence(), archive.lastSequence());
    }

    /** Reads them; what is damaged is in quarantine afterwards. Returns whether all are whole. */
    boolean areWhole() {
        for (long sequence = first; sequence <= archive.lastSequence(); sequence++) {
            try {
                archive.read(sequence);
            } catch (BlockDamagedException e) {
                // Named by the archive.
            }
        }
        return damaged().isEmpty();
    }

    /** Returns those that are known to be damaged, ascending. */
    List<Long> damaged() {
        long needed = Math.min(first, firstHandedOver);
        return archive.health().damagedBlocks().stream()
                .filter(sequence -> sequence >= needed)
                .toList();
    }
}
