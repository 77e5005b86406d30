package io.sealbook.engine.reports;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The packed reports of one broker in the last blocks, so that a reader that is live is sent them as they were packed:
 * from the file they would be read, unpacked, and packed again. Whole blocks, at most {@value #BYTES_MAX} bytes and the
 * last one. One thread adds, any thread reads.
 */
final class RecentRuns {
    /** Some 20,000 reports. */
    static final int BYTES_MAX = 512 << 10;

    private final ConcurrentSkipListMap<Long, List<PackedRun>> byFirst = new ConcurrentSkipListMap<>();
    private long bytes;

    /** Takes all runs of a block, at least one. */
    void add(List<PackedRun> block) {
        byFirst.put(block.getFirst().first(), block);
        bytes += length(block);
        while (bytes > BYTES_MAX && byFirst.size() > 1) {
            bytes -= length(byFirst.pollFirstEntry().getValue());
        }
    }

    /** Returns the runs of the block of a report; empty if it is not among the last ones. */
    Optional<List<PackedRun>> blockOf(long sequence) {
        return Optional.ofNullable(byFirst.floorEntry(sequence))
                .map(Map.Entry::getValue)
                .filter(block -> sequence < block.getLast().end());
    }

    private static long length(List<PackedRun> block) {
        return block.stream().mapToLong(run -> run.packed().length).sum();
    }
}
