package io.sealbook.access;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of places, of which one holder may take a share: an address, or the certificate that a caller has shown. Any
 * thread; the lock is held while a map is read and changed.
 */
public final class HolderQuota {
    private static final int SERIAL_RADIX = 16;

    private final int totalMax;
    private final int perHolderMax;
    private final Map<Object, Integer> counts = new HashMap<>();
    private int total;

    /**
     * Makes a quota of which no place is taken.
     *
     * @param totalMax places in total, at least 1
     * @param perHolderMax places that one holder may have, at least 1
     */
    public HolderQuota(int totalMax, int perHolderMax) {
        this.totalMax = totalMax;
        this.perHolderMax = perHolderMax;
    }

    /** The answer to a request for one place. */
    public enum Answer {
        /** The place is taken; {@link HolderQuota#release} must follow. */
        TAKEN,
        HOLDER_HAS_ENOUGH,
        ALL_ARE_TAKEN
    }

    /** Takes a place for this holder, if one is free. Equal objects are one holder. */
    public synchronized Answer take(Object holder) {
        if (counts.getOrDefault(holder, 0) == perHolderMax) {
            return Answer.HOLDER_HAS_ENOUGH;
        }
        if (total == totalMax) {
            return Answer.ALL_ARE_TAKEN;
        }
        counts.merge(holder, 1, Integer::sum);
        total++;
        return Answer.TAKEN;
    }

    /** Releases a place that {@link #take} has given to this holder. */
    public synchronized void release(Object holder) {
        counts.compute(holder, (of, count) -> count == 1 ? null : count - 1);
        total--;
    }

    /** Returns the number of places taken. */
    public synchronized int count() {
        return total;
    }

    /**
     * Describes a refusal in words for the log and for the caller.
     *
     * @param answer not TAKEN
     * @param holder that asked
     * @param things what a place is for, in the plural: connections, calls
     */
    public String describe(Answer answer, Object holder, String things) {
        return answer == Answer.HOLDER_HAS_ENOUGH
                ? name(holder) + " has " + perHolderMax + " " + things + " open, the most that one may have"
                : totalMax + " " + things + " are open, the most that are served";
    }

    private static String name(Object holder) {
        return switch (holder) {
            case InetAddress address -> "address " + address.getHostAddress();
            case X509Certificate shown ->
                "certificate " + shown.getSubjectX500Principal() + ", serial "
                        + shown.getSerialNumber().toString(SERIAL_RADIX);
            default -> holder.toString();
        };
    }
}
