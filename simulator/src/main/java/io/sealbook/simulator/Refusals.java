package io.sealbook.simulator;

import io.sealbook.pbft.IgnoreReason;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Counts the messages that cores refused, by reason. */
final class Refusals {
    private final long[] counts = new long[IgnoreReason.values().length];

    void add(IgnoreReason reason) {
        counts[reason.ordinal()]++;
    }

    @Override
    public String toString() {
        return Arrays.stream(IgnoreReason.values())
                .filter(reason -> counts[reason.ordinal()] > 0)
                .map(reason -> reason + " " + counts[reason.ordinal()])
                .collect(Collectors.joining(", "));
    }
}
