package io.sealbook.handoff;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.io.ClosedIllegalStateException;
import net.openhft.chronicle.core.threads.InterruptedRuntimeException;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;

/**
 * Reads the excerpts of a queue as values, from its start on until it is moved. Any thread, one at a time.
 *
 * @param <T> {@link HandedBlock} or {@link BlockResult}
 */
public final class HandOffReader<T> implements AutoCloseable {
    private final ChronicleQueue queue;
    private final boolean isQueueOwn;
    private final String name;
    private final Function<byte[], T> decoder;
    private final ToLongFunction<T> sequence;
    private final Bytes<byte[]> excerpt = Bytes.allocateElasticOnHeap(128);
    private final ExcerptTailer tailer;

    private HandOffReader(
            ChronicleQueue queue,
            boolean isQueueOwn,
            String name,
            Function<byte[], T> decoder,
            ToLongFunction<T> sequence) {
        this.queue = queue;
        this.isQueueOwn = isQueueOwn;
        this.name = name;
        this.decoder = decoder;
        this.sequence = sequence;
        try {
            this.tailer = queue.createTailer();
        } catch (RuntimeException | AssertionError e) {
            throw unreadable(e);
        }
        tailer.singleThreadedCheckDisabled(true);
        excerpt.singleThreadedCheckDisabled(true);
    }

    /** Opens queue/blocks, which a node writes; it is created if it is absent. */
    public static HandOffReader<HandedBlock> ofBlocks(Path directory) {
        return blocks(HandOffQueues.openForReading(directory), true);
    }

    /** Opens queue/results, which an engine writes; it is created if it is absent. */
    public static HandOffReader<BlockResult> ofResults(Path directory) {
        return results(HandOffQueues.openForReading(directory), true);
    }

    static HandOffReader<HandedBlock> blocks(ChronicleQueue queue, boolean isQueueOwn) {
        return new HandOffReader<>(queue, isQueueOwn, "queue/blocks", HandedBlock::decode, HandedBlock::sequence);
    }

    static HandOffReader<BlockResult> results(ChronicleQueue queue, boolean isQueueOwn) {
        return new HandOffReader<>(queue, isQueueOwn, "queue/results", BlockResult::decode, BlockResult::sequence);
    }

    /**
     * Returns the next excerpt; empty if there is none yet.
     *
     * @throws HandOffException if it is damaged or of another kind, or the files cannot be read
     */
    public Optional<T> read() {
        excerpt.clear();
        try {
            if (!tailer.readBytes(excerpt)) {
                return Optional.empty();
            }
        } catch (RuntimeException | AssertionError e) {
            throw unreadable(e);
        }
        try {
            return Optional.of(decoder.apply(excerpt.toByteArray()));
        } catch (IllegalArgumentException e) {
            throw new HandOffException(name + ": " + e.getMessage(), e);
        }
    }

    /** Returns the index of the excerpt that was read last, for {@link #moveTo}. */
    public long lastIndex() {
        return tailer.lastReadIndex();
    }

    /**
     * Moves to the first excerpt that is still there.
     *
     * @throws HandOffException if the files cannot be read
     */
    public void toStart() {
        try {
            tailer.direction(TailerDirection.FORWARD).toStart();
        } catch (RuntimeException | AssertionError e) {
            throw unreadable(e);
        }
    }

    /**
     * Moves to an excerpt.
     *
     * @param index that {@link #lastIndex} returned once
     * @return false if it is not there any more, or never was; where the reader is then is not defined
     * @throws HandOffException if the files cannot be read
     */
    public boolean moveTo(long index) {
        try {
            return tailer.direction(TailerDirection.FORWARD).moveToIndex(index);
        } catch (RuntimeException | AssertionError e) {
            throw unreadable(e);
        }
    }

    /**
     * Moves to the first excerpt of a block after {@code last}, going back from the end; to the end if there is none.
     * What was replaced is not reached: an excerpt of a lower block than the one before it begins anew.
     *
     * @throws HandOffException if an excerpt on the way is damaged or of another kind, or the files cannot be read
     */
    public void toFirstAfter(long last) {
        toEnd(TailerDirection.BACKWARD);
        long at = Long.MIN_VALUE;
        long following = Long.MAX_VALUE;
        for (Optional<T> next = read(); next.isPresent(); next = read()) {
            long block = sequence.applyAsLong(next.get());
            if (block <= last || block >= following) {
                break;
            }
            at = tailer.lastReadIndex();
            following = block;
        }
        if (at == Long.MIN_VALUE) {
            toEnd(TailerDirection.FORWARD);
        } else {
            moveTo(at);
        }
    }

    /**
     * Returns the newest excerpt; empty if the queue is. The reader has to be moved before the next {@link #read}. A
     * queue whose only file has lost its content may look empty; {@link #toFirstAfter} tells.
     *
     * @throws HandOffException if it is damaged or of another kind, or the files cannot be read
     */
    public Optional<T> last() {
        toEnd(TailerDirection.BACKWARD);
        return read();
    }

    private void toEnd(TailerDirection direction) {
        try {
            tailer.direction(direction).toEnd();
        } catch (RuntimeException | AssertionError e) {
            throw unreadable(e);
        }
    }

    /**
     * Chronicle throws exceptions of many kinds if a file has lost what was in it, as in a power failure, and an
     * AssertionError where assertions are on.
     */
    private RuntimeException unreadable(Throwable failure) {
        if (failure instanceof ClosedIllegalStateException || failure instanceof InterruptedRuntimeException) {
            return (RuntimeException) failure;
        }
        return new HandOffException(name + ": the files cannot be read: " + failure, failure);
    }

    @Override
    public void close() {
        tailer.close();
        if (isQueueOwn) {
            queue.close();
        }
        excerpt.releaseLast();
    }
}
