package io.sealbook.access.rate;

/**
 * What one holder may do per second at a port; two seconds' worth may come at once.
 *
 * @param callsPerSecond calls, requests and frames of WebSockets that begin, 1..{@value #CALLS_MAX}
 * @param bytesPerSecond bytes that it sends, 1..{@value #BYTES_MAX}
 */
public record Rates(int callsPerSecond, long bytesPerSecond) {
    public static final int CALLS_MAX = 1_000_000;

    /** A multiple of it in nanoseconds fits a long. */
    public static final long BYTES_MAX = 1_000_000_000;

    public Rates {
        require("calls per second", callsPerSecond, CALLS_MAX);
        require("bytes per second", bytesPerSecond, BYTES_MAX);
    }

    private static void require(String what, long value, long max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(what + ": " + value + " is not 1.." + max);
        }
    }

    /** Returns what several holders may do together. */
    Rates times(int factor) {
        return new Rates(Math.min(CALLS_MAX, callsPerSecond * factor), Math.min(BYTES_MAX, bytesPerSecond * factor));
    }
}
