package io.sealbook.engine.intake;

import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandedBlock;
import java.nio.file.Path;

/**
 * Looks up the newest block in the queue, for the lag that metrics show. Any thread, under a lock; each call is one
 * read.
 */
public final class QueueEnd implements AutoCloseable {
    private final HandOffReader<HandedBlock> queue;

    public QueueEnd(Path directory) {
        queue = HandOffReader.ofBlocks(directory);
    }

    /**
     * Returns the newest block's sequence; 0 when the queue is empty.
     *
     * @throws io.sealbook.handoff.HandOffException if the last excerpt is no location of a block
     */
    public synchronized long lastSequence() {
        return queue.last().map(HandedBlock::sequence).orElse(0L);
    }

    @Override
    public synchronized void close() {
        queue.close();
    }
}
