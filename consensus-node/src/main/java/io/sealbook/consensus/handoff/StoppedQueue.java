package io.sealbook.consensus.handoff;

import io.sealbook.handoff.HandOffQueues;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;

/**
 * The excerpts of a queue that no process writes, from the first to the last whole one. Opening and reading change no
 * file and touch no lock. One thread.
 */
public final class StoppedQueue implements AutoCloseable {
    private final ChronicleQueue queue;
    private final ExcerptTailer tailer;
    private final Bytes<byte[]> excerpt = Bytes.allocateElasticOnHeap();

    /** @param directory of a queue that exists */
    public StoppedQueue(Path directory) {
        queue = HandOffQueues.openReadOnly(directory);
        tailer = queue.createTailer();
    }

    /** Returns the bytes of the next excerpt; null after the last. */
    public byte[] next() {
        excerpt.clear();
        return tailer.readBytes(excerpt) ? excerpt.toByteArray() : null;
    }

    @Override
    public void close() {
        tailer.close();
        queue.close();
    }
}
