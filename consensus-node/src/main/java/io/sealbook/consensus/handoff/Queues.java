package io.sealbook.consensus.handoff;

import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.RollCycles;

/** Opens the queues with the settings that both sides of the hand-off share. */
public final class Queues {
    /**
     * Bytes mapped at a time. An excerpt may take a quarter of it: 32 MB, above the largest block of 500 batches of 1,024 orders
     * (25 MB). Files are sparse.
     */
    public static final long MAPPED_BYTES = 128L << 20;

    private Queues() {}

    /** Opens the queue of a directory, which is created when absent; files roll every day (UTC). */
    public static ChronicleQueue open(Path directory) {
        return ChronicleQueue.singleBuilder(directory)
                .rollCycle(RollCycles.FAST_DAILY)
                .blockSize(MAPPED_BYTES)
                .build();
    }
}
