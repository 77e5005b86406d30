package io.sealbook.node.restart;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.session.SessionHeads.AtBlock;
import io.sealbook.node.session.Sessions;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.Optional;

/**
 * Restores how far each session had come: from the file of heads and the blocks after it, or from all blocks if the
 * file is lost or belongs to another archive. A node that cannot read one of these blocks does not start: it would not
 * know where sessions go on, and its blocks would differ.
 */
public final class HeadsAtStart {
    private final BlockArchive archive;
    private final SessionHeads file;

    /**
     * @param archive the node's own
     * @param file of heads; not changed
     */
    public HeadsAtStart(BlockArchive archive, SessionHeads file) {
        this.archive = archive;
        this.file = file;
    }

    /**
     * Fills the sessions up to the last block of the archive.
     *
     * @param sessions empty
     * @param events is notified if all blocks had to be read
     * @throws OperatingFailureException if the file is lost and the archive does not begin with block 1
     * @throws BlockDamagedException if a block that must be read is damaged
     */
    public void restore(Sessions sessions, NodeEvents events) {
        Optional<AtBlock> heads = file.read().filter(this::isOfThisArchive);
        long first = 1;
        if (heads.isPresent()) {
            heads.get().sessions().forEach(head -> sessions.restore(head.sessionKey(), head.number(), head.id()));
            first = heads.get().sequence() + 1;
        } else if (archive.firstSequence() > 1) {
            throw new OperatingFailureException("the file of session heads is lost and the archive begins with block "
                    + archive.firstSequence() + "; copy session-heads/ of another node");
        }
        for (long sequence = first; sequence <= archive.lastSequence(); sequence++) {
            deliver(StartUp.block(archive, sequence), sessions);
        }
        if (heads.isEmpty() && archive.lastSequence() > 0) {
            events.headsRebuilt(archive.lastSequence());
        }
    }

    /** Returns the first block that {@link #restore} reads; one after the last if it reads none. */
    public long firstRead() {
        return file.read()
                .filter(this::isOfThisArchive)
                .map(heads -> heads.sequence() + 1)
                .orElse(1L);
    }

    private boolean isOfThisArchive(AtBlock heads) {
        try {
            return archive.location(heads.sequence())
                    .filter(block -> block.hash().equals(heads.blockHash()))
                    .isPresent();
        } catch (BlockDamagedException e) {
            return false;
        }
    }

    private static void deliver(Block block, Sessions sessions) {
        BatchHeaders headers = new HeadersInPlace(block);
        for (int i = 0; i < headers.count(); i++) {
            sessions.delivered(headers.sessionKey(i), headers.number(i), block.batchId(i));
        }
    }
}
