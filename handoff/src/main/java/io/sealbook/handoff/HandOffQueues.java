package io.sealbook.handoff;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.threads.BusyTimedPauser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the queues between a node and its engine. Whichever process starts first creates them, so both must name the
 * same settings: files roll daily (UTC), 64 MB are mapped at a time, of which an excerpt may take a quarter.
 */
public final class HandOffQueues {
    private static final Logger log = LoggerFactory.getLogger(HandOffQueues.class);
    private static final String METADATA = "metadata.cq4t";

    /** An excerpt that a killed writer left unfinished is abandoned after this time; no other process can finish it. */
    private static final long UNFINISHED_TIMEOUT_MS = 1_000;

    private HandOffQueues() {}

    /** Returns the settings of a queue, for tests that set its clock. */
    public static SingleChronicleQueueBuilder settings(Path directory) {
        return SingleChronicleQueueBuilder.binary(directory).rollCycle(RollCycles.FAST_DAILY);
    }

    /** Opens a queue that another process writes; it is created if it is absent. */
    public static ChronicleQueue openForReading(Path directory) {
        return settings(directory).build();
    }

    /** Opens a queue that no process has open, and changes none of its files. */
    public static ChronicleQueue openReadOnly(Path directory) {
        return settings(directory).readOnly(true).build();
    }

    /**
     * Opens a queue of which this process is the only writer, as the lock on the process's directory ensures. A lock in
     * the queue is therefore that of a killed predecessor. Chronicle recognizes a dead owner by its process id, which a
     * container uses again: the process would wait for itself there.
     *
     * <p>The queue is opened first, so that its metadata are written: the table of the locks alone has other ones, and
     * would leave them for good in a file that the reader is creating at this moment.
     *
     * <p>Its newest file is written on if the system's clock names an earlier day.
     */
    public static ChronicleQueue openForWriting(Path directory) {
        return openForWriting(directory, SystemTimeProvider.INSTANCE);
    }

    /** Opens a queue as {@link #openForWriting(Path)} does, with another clock than the system's. */
    static ChronicleQueue openForWriting(Path directory, TimeProvider clock) {
        RollClock rollClock = new RollClock(clock);
        SingleChronicleQueue queue = settings(directory)
                .timeoutMS(UNFINISHED_TIMEOUT_MS)
                .timeProvider(rollClock)
                .build();
        boolean isReady = false;
        try {
            forceUnlock(directory.resolve(METADATA));
            long newestMs = beginOfNewestFileMs(queue);
            if (newestMs > clock.currentTimeMillis()) {
                log.warn(
                        "the newest file of {} begins at {}, after this machine's time; it is written on until then",
                        directory,
                        Instant.ofEpochMilli(newestMs));
            }
            rollClock.startAt(newestMs);
            isReady = true;
            return queue;
        } finally {
            if (!isReady) {
                queue.close();
            }
        }
    }

    /** Returns the begin of the day whose file is the newest; that of 1970 if there is no file. */
    private static long beginOfNewestFileMs(SingleChronicleQueue queue) {
        return Math.max(0, queue.lastCycle()) * (long) queue.rollCycle().lengthInMillis();
    }

    /**
     * Wakes the reader of a queue if it sleeps, for tests that write a queue without {@link HandOffWriter}.
     *
     * @throws HandOffException if the queue's directory cannot be written
     */
    public static void wakeReader(Path directory) {
        try (WakeUpFile reader = WakeUpFile.open(directory)) {
            reader.wake();
        } catch (IOException e) {
            throw new HandOffException("queue: cannot wake the reader of " + directory, e);
        }
    }

    private static void forceUnlock(Path metadata) {
        try (TableStore<Metadata.NoMeta> store = SingleTableBuilder.binary(metadata.toFile(), Metadata.NoMeta.INSTANCE)
                .readOnly(false)
                .build()) {
            forceUnlock(new TableStoreWriteLock(
                    store, BusyTimedPauser::new, UNFINISHED_TIMEOUT_MS, TableStoreWriteLock.APPEND_LOCK_KEY));
            forceUnlock(new TableStoreWriteLock(store, BusyTimedPauser::new, UNFINISHED_TIMEOUT_MS));
        }
    }

    private static void forceUnlock(TableStoreWriteLock lock) {
        try (lock) {
            lock.forceUnlock();
        }
    }
}
