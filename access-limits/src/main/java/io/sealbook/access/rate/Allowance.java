package io.sealbook.access.rate;

import io.sealbook.access.HolderQuota;
import java.util.Optional;

/** What one holder may do at a port at present. Any thread; what is let through costs no allocation. */
public final class Allowance {
    private final Object holder;
    private final TokenBucket calls;
    private final TokenBucket bytes;
    private volatile boolean isForgotten;

    Allowance(Object holder, Rates rates, long nowNs) {
        this.holder = holder;
        this.calls = new TokenBucket(rates.callsPerSecond(), nowNs);
        this.bytes = new TokenBucket(rates.bytesPerSecond(), nowNs);
    }

    /**
     * Counts one call or message.
     *
     * @param nowNs the time
     * @return why it is refused; empty if it is let through
     */
    public Optional<RateRefusal> takeCall(long nowNs) {
        long waitNs = calls.take(1, nowNs);
        return waitNs == 0 ? Optional.empty() : refusal("makes", calls, "calls", waitNs);
    }

    /**
     * Counts bytes that have come.
     *
     * @param count of the bytes, at least 0; more than two seconds' worth count as two seconds' worth
     * @param nowNs the time
     * @return why they are refused; empty if they are let through
     */
    public Optional<RateRefusal> takeBytes(long count, long nowNs) {
        long waitNs = bytes.take(count, nowNs);
        return waitNs == 0 ? Optional.empty() : refusal("sends", bytes, "bytes", waitNs);
    }

    private Optional<RateRefusal> refusal(String does, TokenBucket bucket, String things, long waitNs) {
        return Optional.of(new RateRefusal(
                HolderQuota.nameOf(holder) + " " + does + " more than " + bucket.perSecond() + " " + things
                        + " per second, the most that one may",
                waitNs));
    }

    /** Returns whether a new one would be the same; whoever holds this one must take the new one from then on. */
    boolean forgetIfUntouched(long nowNs) {
        isForgotten = calls.isFull(nowNs) && bytes.isFull(nowNs);
        return isForgotten;
    }

    boolean isForgotten() {
        return isForgotten;
    }
}
