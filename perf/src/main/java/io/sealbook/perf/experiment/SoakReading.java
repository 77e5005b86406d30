package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ProcessFootprint;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * What the members hold at one moment of a long run, while nothing is on its way.
 *
 * @param orders that all engines have executed so far
 * @param processes of nodes and engines, by name
 * @param archiveBytes of all archives, which keep every block
 * @param otherFileBytes of all other files of the members: logs, queues, reports, snapshots
 */
record SoakReading(
        long orders,
        Map<String, ProcessFootprint> processes,
        Map<String, Long> archiveBytes,
        Map<String, Long> otherFileBytes) {
    private static final double MIB = 1 << 20;

    /** A process may hold so much more at the end than after a third of the time. */
    private static final long LIVE_HEAP_GROWTH_MAX = 16 << 20;

    /** Likewise. Collectors and the system's allocator give memory back late. */
    private static final long ANONYMOUS_GROWTH_MAX = 64 << 20;

    /** Likewise. */
    private static final long DESCRIPTOR_GROWTH_MAX = 16;

    /** Likewise. Pools of threads grow to their size when they are first busy. */
    private static final long THREAD_GROWTH_MAX = 16;

    /**
     * Likewise, of the files of a member besides its archive: a snapshot or an excerpt of a queue may be between two.
     */
    private static final long FILE_GROWTH_MAX = 256L << 20;

    SoakReading {
        processes = new TreeMap<>(processes);
        archiveBytes = new TreeMap<>(archiveBytes);
        otherFileBytes = new TreeMap<>(otherFileBytes);
    }

    /**
     * Returns what has grown beyond its bound since an earlier reading, a sentence each; empty if all is well.
     *
     * @param settled the reading after which nothing should grow
     */
    List<String> growthBeyondBounds(SoakReading settled) {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<String, ProcessFootprint> process : processes.entrySet()) {
            String name = process.getKey();
            ProcessFootprint before = settled.processes.get(name);
            ProcessFootprint now = process.getValue();
            check(
                    name + ", live heap bytes",
                    before,
                    now,
                    ProcessFootprint::liveHeapBytes,
                    LIVE_HEAP_GROWTH_MAX,
                    faults);
            check(
                    name + ", anonymous bytes",
                    before,
                    now,
                    ProcessFootprint::anonymousBytes,
                    ANONYMOUS_GROWTH_MAX,
                    faults);
            check(name + ", descriptors", before, now, ProcessFootprint::descriptors, DESCRIPTOR_GROWTH_MAX, faults);
            check(name + ", threads", before, now, ProcessFootprint::threads, THREAD_GROWTH_MAX, faults);
        }
        otherFileBytes.forEach((member, bytes) -> check(
                member + ", bytes of files besides the archive",
                settled.otherFileBytes.get(member),
                bytes,
                Long::longValue,
                FILE_GROWTH_MAX,
                faults));
        return faults;
    }

    private static <T> void check(
            String what, T before, T now, ToLongFunction<T> amount, long growthMax, List<String> faults) {
        long growth = amount.applyAsLong(now) - amount.applyAsLong(before);
        if (growth > growthMax) {
            faults.add(String.format(
                    Locale.ROOT,
                    "%s: %,d after a third of the time, %,d at the end, which is more than %,d more",
                    what,
                    amount.applyAsLong(before),
                    amount.applyAsLong(now),
                    growthMax));
        }
    }

    /** Adds the sums of all members to a line, and returns it. */
    ResultRow addTo(ResultRow line) {
        return line.with(Figure.LIVE_HEAP_MEBIBYTES, sum(ProcessFootprint::liveHeapBytes) / MIB)
                .with(Figure.ANONYMOUS_MEBIBYTES, sum(ProcessFootprint::anonymousBytes) / MIB)
                .with(Figure.DESCRIPTORS, sum(ProcessFootprint::descriptors))
                .with(Figure.THREADS, sum(ProcessFootprint::threads))
                .with(Figure.ARCHIVE_MEBIBYTES, sum(archiveBytes.values()) / MIB)
                .with(Figure.OTHER_FILE_MEBIBYTES, sum(otherFileBytes.values()) / MIB);
    }

    private double sum(ToLongFunction<ProcessFootprint> amount) {
        return processes.values().stream().mapToLong(amount).sum();
    }

    private static double sum(Collection<Long> amounts) {
        return amounts.stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the sums of all members as text. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "%,d orders; live heap %,.0f MiB, anonymous memory %,.0f MiB, %,.0f descriptors, %,.0f threads,"
                        + " archives %,.0f MiB, other files %,.0f MiB",
                orders,
                sum(ProcessFootprint::liveHeapBytes) / MIB,
                sum(ProcessFootprint::anonymousBytes) / MIB,
                sum(ProcessFootprint::descriptors),
                sum(ProcessFootprint::threads),
                sum(archiveBytes.values()) / MIB,
                sum(otherFileBytes.values()) / MIB);
    }
}
