package io.sealbook.consensus.handoff;

import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffReader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tails queue/results. An engine that was rebuilt reports from an earlier block on again: its results replace those
 * before, and are passed on. One thread.
 */
public final class ResultReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ResultReader.class);
    private static final int RESULTS_PER_POLL = 256;

    private final HandOffReader<BlockResult> queue;
    private final LongSupplier lastArchived;
    private final BlockResults results;
    private long lastSequence;
    private boolean isPlaced;
    /** The last result that was read, also if it was not passed on; 0 if none was. */
    private long lastRead;
    /** A result that has been read and not been passed on. */
    private Optional<BlockResult> held = Optional.empty();

    /**
     * @param directory of the queue; created if it is absent
     * @param lastKnown results up to this block are not passed on; the reader steps back over what is newer
     * @param lastArchived a result beyond this block waits: after a power failure the engine may know blocks that the
     *     archive lost
     * @param results called by {@link #poll}
     */
    public ResultReader(Path directory, long lastKnown, LongSupplier lastArchived, BlockResults results) {
        this.queue = HandOffReader.ofResults(directory);
        this.lastArchived = lastArchived;
        this.results = results;
        this.lastSequence = lastKnown;
    }

    /**
     * Passes on new results. The first call finds the place to begin.
     *
     * @return how many were passed on
     * @throws io.sealbook.handoff.HandOffException if a result is damaged; it is not passed on
     */
    public int poll() {
        if (!isPlaced) {
            queue.toFirstAfter(lastSequence);
            isPlaced = true;
        }
        int count = 0;
        while (count < RESULTS_PER_POLL) {
            Optional<BlockResult> next = held.isPresent() ? held : queue.read();
            held = next.filter(result -> result.sequence() > lastArchived.getAsLong());
            if (next.isEmpty() || held.isPresent()) {
                return count;
            }
            count += passOn(next.get()) ? 1 : 0;
        }
        return count;
    }

    /** Returns whether a result waits until the archive has its block. */
    public boolean isHolding() {
        return held.isPresent();
    }

    private boolean passOn(BlockResult result) {
        if (result.sequence() <= lastRead) {
            log.warn("queue/results: the engine was rebuilt and reports again from block {} on", result.sequence());
            lastSequence = result.sequence() - 1;
        }
        lastRead = result.sequence();
        if (result.sequence() <= lastSequence) {
            return false;
        }
        if (result.sequence() != lastSequence + 1) {
            log.warn("queue/results: {} follows {}", result.sequence(), lastSequence);
        }
        lastSequence = result.sequence();
        results.onResult(result);
        return true;
    }

    @Override
    public void close() {
        queue.close();
    }
}
