package io.sealbook.alerts;

import java.util.TreeMap;

/** The increase of a counter, extrapolated to the ends of its range as Prometheus does (promql/functions.go). */
final class Increase {
    private static final double GAP_FACTOR = 1.1;

    private Increase() {}

    /**
     * Returns the increase.
     *
     * @param values at least two, by time in seconds; a smaller one than before is that of a restarted process
     * @param fromS begin of the range
     * @param toS end of the range
     */
    static double of(TreeMap<Double, Double> values, double fromS, double toS) {
        double increase = 0;
        double before = values.firstEntry().getValue();
        for (double value : values.values()) {
            increase += value < before ? value : value - before;
            before = value;
        }
        double sampledS = values.lastKey() - values.firstKey();
        double betweenS = sampledS / (values.size() - 1);
        double toStartS = values.firstKey() - fromS;
        double toEndS = toS - values.lastKey();
        if (toStartS >= GAP_FACTOR * betweenS) {
            toStartS = betweenS / 2;
        }
        if (increase > 0) {
            // A counter is never extrapolated below zero.
            toStartS = Math.min(toStartS, sampledS * values.firstEntry().getValue() / increase);
        }
        if (toEndS >= GAP_FACTOR * betweenS) {
            toEndS = betweenS / 2;
        }
        return increase * (sampledS + toStartS + toEndS) / sampledS;
    }
}
