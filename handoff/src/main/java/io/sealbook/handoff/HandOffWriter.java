package io.sealbook.handoff;

import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends values to a queue of which this process is the only writer. Any thread, one at a time.
 *
 * @param <T> {@link HandedBlock} or {@link BlockResult}
 */
public final class HandOffWriter<T> implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HandOffWriter.class);

    private final ChronicleQueue queue;
    private final Function<T, byte[]> encoder;
    private final Function<ChronicleQueue, HandOffReader<T>> readers;
    private final Durability durability;
    private final WakeUpFile reader;
    private ExcerptAppender appender;
    private boolean isWakeUpRefused;

    private HandOffWriter(
            Path directory,
            TimeProvider clock,
            Function<T, byte[]> encoder,
            Function<ChronicleQueue, HandOffReader<T>> readers,
            Durability durability) {
        this.queue = HandOffQueues.openForWriting(directory, clock);
        this.encoder = encoder;
        this.readers = readers;
        this.durability = durability;
        try {
            this.reader = WakeUpFile.open(directory);
        } catch (RuntimeException e) {
            queue.close();
            throw e;
        }
    }

    /**
     * Opens queue/blocks.
     *
     * @param directory of the queue; created if it is absent
     * @param durability what an excerpt survives when {@link #append} has returned
     */
    public static HandOffWriter<HandedBlock> ofBlocks(Path directory, Durability durability) {
        return ofBlocks(directory, durability, SystemTimeProvider.INSTANCE);
    }

    static HandOffWriter<HandedBlock> ofBlocks(Path directory, Durability durability, TimeProvider clock) {
        return new HandOffWriter<>(
                directory, clock, HandedBlock::encode, queue -> HandOffReader.blocks(queue, false), durability);
    }

    /** Opens queue/results. An engine that loses its last results in a power failure executes the blocks again. */
    public static HandOffWriter<BlockResult> ofResults(Path directory) {
        return ofResults(directory, SystemTimeProvider.INSTANCE);
    }

    static HandOffWriter<BlockResult> ofResults(Path directory, TimeProvider clock) {
        return new HandOffWriter<>(
                directory,
                clock,
                BlockResult::encode,
                queue -> HandOffReader.results(queue, false),
                Durability.PROCESS);
    }

    /**
     * Appends an excerpt, and wakes a reader that sleeps.
     *
     * @throws net.openhft.chronicle.core.io.IORuntimeException if the queue's files cannot be written
     * @throws InternalError if a page of a mapped file gets no room on the disk
     */
    public void append(T value) {
        if (appender == null) {
            appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true);
        }
        byte[] bytes = encoder.apply(value);
        appender.writeBytes(out -> out.write(bytes));
        if (durability.isDisk()) {
            appender.sync();
        }
        wakeReader();
    }

    /** A reader that is not woken looks by itself. */
    private void wakeReader() {
        try {
            reader.wake();
        } catch (IOException e) {
            if (!isWakeUpRefused) {
                isWakeUpRefused = true;
                log.warn("the reader of {} is not woken, and polls: {}", queue.file(), e.getMessage());
            }
        }
    }

    /** Returns a reader of this queue, which is to be closed before this writer. */
    public HandOffReader<T> reader() {
        return readers.apply(queue);
    }

    @Override
    public void close() {
        reader.close();
        if (appender != null) {
            appender.close();
        }
        queue.close();
    }
}
