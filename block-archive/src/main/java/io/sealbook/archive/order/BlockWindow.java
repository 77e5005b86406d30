package io.sealbook.archive.order;

import io.sealbook.archive.BlockSource;
import java.time.Instant;

/**
 * Which blocks are searched; a part that is null does not limit.
 *
 * @param from first block
 * @param to last block, included
 * @param since no block before this instant
 * @param until no block after it
 */
public record BlockWindow(Long from, Long to, Instant since, Instant until) {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Returns the first block that is there; after {@link #last} if the window is empty. */
    public long first(BlockSource source) {
        long first = from == null ? source.firstSequence() : Math.max(from, source.firstSequence());
        return since == null ? first : Math.max(first, new OrderSearch(source).firstAtOrAfter(nanos(since)));
    }

    /** Returns the last block that is there, included. */
    public long last(BlockSource source) {
        long last = to == null ? source.lastSequence() : Math.min(to, source.lastSequence());
        return until == null ? last : Math.min(last, new OrderSearch(source).firstAtOrAfter(nanos(until) + 1) - 1);
    }

    /** Returns nanoseconds since 1970; the nearest number there is for an instant that is centuries away. */
    private static long nanos(Instant instant) {
        try {
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
        } catch (ArithmeticException e) {
            return instant.getEpochSecond() < 0 ? 0 : Long.MAX_VALUE - 1;
        }
    }
}
