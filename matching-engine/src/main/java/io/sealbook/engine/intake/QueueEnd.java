package io.sealbook.engine.intake;

import io.sealbook.archive.BlockLocation;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;

/**
 * Looks up the newest block in the queue, for the lag that metrics show. Any thread, under a lock; each call is one
 * read.
 */
public final class QueueEnd implements AutoCloseable {
    private final ChronicleQueue queue;
    private final ExcerptTailer tailer;
    private final Bytes<byte[]> buffer = Bytes.allocateElasticOnHeap(BlockLocation.LENGTH);

    public QueueEnd(Path directory) {
        queue = Queues.openForReading(directory);
        tailer = queue.createTailer();
        tailer.singleThreadedCheckDisabled(true);
        buffer.singleThreadedCheckDisabled(true);
    }

    /**
     * Returns the newest block's sequence; 0 when the queue is empty.
     *
     * @throws io.sealbook.archive.MalformedBlockException if the last excerpt is no location of a block
     */
    public synchronized long lastSequence() {
        tailer.direction(TailerDirection.BACKWARD).toEnd();
        buffer.clear();
        if (!tailer.readBytes(buffer)) {
            return 0;
        }
        return BlockLocation.decode(buffer.toByteArray()).sequence();
    }

    @Override
    public synchronized void close() {
        queue.close();
        buffer.releaseLast();
    }
}
