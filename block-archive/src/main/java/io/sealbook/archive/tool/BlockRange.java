package io.sealbook.archive.tool;

import io.sealbook.archive.BlockSource;
import io.sealbook.archive.order.OrderSearch;
import java.time.Instant;
import picocli.CommandLine.Option;

/** Which blocks a command reads, by number or by time. */
final class BlockRange {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    @Option(names = "--from", paramLabel = "N", description = "First block; the archive's first if not given.")
    private Long from;

    @Option(names = "--to", paramLabel = "N", description = "Last block; the archive's last if not given.")
    private Long to;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "No block before this instant, such as 2026-11-22T09:30:00Z.")
    private Instant since;

    @Option(names = "--until", paramLabel = "TIME", description = "No block after this instant.")
    private Instant until;

    /** Returns the first block of the range; after {@link #last} if the range is empty. */
    long first(BlockSource source) {
        long first = from == null ? source.firstSequence() : Math.max(from, source.firstSequence());
        return since == null ? first : Math.max(first, new OrderSearch(source).firstAtOrAfter(nanos(since)));
    }

    /** Returns the last block of the range, included. */
    long last(BlockSource source) {
        long last = to == null ? source.lastSequence() : Math.min(to, source.lastSequence());
        return until == null ? last : Math.min(last, new OrderSearch(source).firstAtOrAfter(nanos(until) + 1) - 1);
    }

    private static long nanos(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NANOS_PER_SECOND), instant.getNano());
    }
}
