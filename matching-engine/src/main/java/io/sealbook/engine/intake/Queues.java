package io.sealbook.engine.intake;

import java.io.File;
import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.threads.BusyTimedPauser;
import net.openhft.chronicle.threads.TimingPauser;

/**
 * Opens the two queues between a node and its engine. Whoever starts first creates them, so both sides name the same
 * roll cycle.
 */
final class Queues {
    private static final String METADATA = "metadata.cq4t";

    /** An excerpt that a killed writer left unfinished is given up after this; nobody else could finish it. */
    private static final long UNFINISHED_TIMEOUT_MS = 1_000;

    private Queues() {}

    static ChronicleQueue openForReading(Path directory) {
        return SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(RollCycles.FAST_DAILY)
                .build();
    }

    /**
     * Opens a queue of which this process is the only writer, as the lock on the engine's directory ensures. A lock
     * found in the queue is therefore a killed predecessor's. Chronicle tells a dead owner by its process id, which a
     * container uses again: there the engine would wait for itself.
     */
    static ChronicleQueue openForWriting(Path directory) {
        forceUnlock(directory.resolve(METADATA).toFile());
        return SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(RollCycles.FAST_DAILY)
                .timeoutMS(UNFINISHED_TIMEOUT_MS)
                .build();
    }

    private static void forceUnlock(File metadata) {
        if (!metadata.exists()) {
            return;
        }
        SingleChronicleQueueBuilder.addAliases();
        try (TableStore<Metadata.NoMeta> store = SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE)
                .readOnly(false)
                .build()) {
            forceUnlock(new TableStoreWriteLock(
                    store, Queues::pauser, UNFINISHED_TIMEOUT_MS, TableStoreWriteLock.APPEND_LOCK_KEY));
            forceUnlock(new TableStoreWriteLock(store, Queues::pauser, UNFINISHED_TIMEOUT_MS));
        }
    }

    private static void forceUnlock(TableStoreWriteLock lock) {
        try (lock) {
            lock.forceUnlock();
        }
    }

    private static TimingPauser pauser() {
        return new BusyTimedPauser();
    }
}
