package io.sealbook.engine.monitor;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/** Rates and latencies over the blocks that an engine has executed last, for people. Immutable. */
public final class RecentFigures {
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_MS = 1e6;
    private static final int PERCENT_MAX = 100;

    private final List<ExecutedBlock> newestFirst;
    private final double[] sortedLatenciesMs;

    /** @param newestFirst blocks in a row, newest first; may be empty */
    public RecentFigures(List<ExecutedBlock> newestFirst) {
        this.newestFirst = List.copyOf(newestFirst);
        this.sortedLatenciesMs = newestFirst.stream()
                .mapToDouble(RecentFigures::latencyMs)
                .sorted()
                .toArray();
    }

    /**
     * Returns the time from the block's agreed time to its execution here, ms. It contains agreement, transport and the
     * difference of clocks.
     */
    public static double latencyMs(ExecutedBlock block) {
        return (block.executedTimeNs() - block.blockTimeNs()) / NS_PER_MS;
    }

    /** Returns entries executed per second; 0 for fewer than two blocks. */
    public double ordersPerSecond() {
        return perSecond(ExecutedBlock::orderCount);
    }

    /** Returns blocks executed per second; 0 for fewer than two blocks. */
    public double blocksPerSecond() {
        return perSecond(block -> 1);
    }

    /**
     * Returns a percentile of {@link #latencyMs}, by the nearest rank below; empty without blocks.
     *
     * @param percent 0..100
     */
    public OptionalDouble latencyMs(int percent) {
        if (percent < 0 || percent > PERCENT_MAX) {
            throw new IllegalArgumentException("percent is " + percent + ", expected 0.." + PERCENT_MAX);
        }
        int count = sortedLatenciesMs.length;
        return count == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(sortedLatenciesMs[(count - 1) * percent / PERCENT_MAX]);
    }

    /** The oldest block only marks where the stretch of time begins. */
    private double perSecond(ToLongFunction<ExecutedBlock> amount) {
        if (newestFirst.size() < 2) {
            return 0;
        }
        long sum = newestFirst.subList(0, newestFirst.size() - 1).stream()
                .mapToLong(amount)
                .sum();
        long ns =
                newestFirst.getFirst().executedTimeNs() - newestFirst.getLast().executedTimeNs();
        return ns <= 0 ? 0 : sum * NS_PER_SECOND / ns;
    }
}
