package io.sealbook.access.rate;

/**
 * Why a holder must wait.
 *
 * @param reason for the log and for the caller
 * @param waitNs nanoseconds after which the same is let through, if the holder sends nothing meanwhile
 */
public record RateRefusal(String reason, long waitNs) {
    private static final long NS_PER_MS = 1_000_000;
    private static final long NS_PER_S = 1_000_000_000;

    /** Returns the wait in milliseconds, rounded up. */
    public long waitMs() {
        return Math.ceilDiv(waitNs, NS_PER_MS);
    }

    /** Returns the value of the header {@code Retry-After} (RFC 9110, section 10.2.3): seconds, at least 1. */
    public String retryAfter() {
        return Long.toString(Math.ceilDiv(waitNs, NS_PER_S));
    }
}
