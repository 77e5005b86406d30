package io.sealbook.client.connection;

import java.time.Duration;

/**
 * Times that a program gives: as long as it likes, and bounded here, so that they fit into a {@code long} of
 * nanoseconds, doubled and added to {@link System#nanoTime} too.
 */
public final class BoundedTime {
    /** A wait of this length is one without a limit. */
    static final Duration MAX = Duration.ofDays(1_000);

    static final long MAX_NS = MAX.toNanos();

    private BoundedTime() {}

    /**
     * Returns the duration; the bound of 1,000 days if it is longer, or as much below zero if it is less than that.
     *
     * @param value not null
     */
    public static Duration of(Duration value) {
        if (value.compareTo(MAX) > 0) {
            return MAX;
        }
        return value.compareTo(MAX.negated()) < 0 ? MAX.negated() : value;
    }
}
