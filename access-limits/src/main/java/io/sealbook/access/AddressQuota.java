package io.sealbook.access;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * A number of places, of which one address may hold a share. Any thread; the lock is held while a map is read and
 * changed.
 */
public final class AddressQuota {
    private final int totalMax;
    private final int perAddressMax;
    private final Map<InetAddress, Integer> counts = new HashMap<>();
    private int total;

    /**
     * Makes a quota of which no place is taken.
     *
     * @param totalMax places in total, at least 1
     * @param perAddressMax places that one address may hold, at least 1
     */
    public AddressQuota(int totalMax, int perAddressMax) {
        this.totalMax = totalMax;
        this.perAddressMax = perAddressMax;
    }

    /** The answer to a request for one place. */
    public enum Answer {
        /** The place is taken; {@link AddressQuota#release} must follow. */
        TAKEN,
        ADDRESS_HAS_ENOUGH,
        ALL_ARE_TAKEN
    }

    /** Takes a place for this address, if one is free. */
    public synchronized Answer take(InetAddress address) {
        if (counts.getOrDefault(address, 0) == perAddressMax) {
            return Answer.ADDRESS_HAS_ENOUGH;
        }
        if (total == totalMax) {
            return Answer.ALL_ARE_TAKEN;
        }
        counts.merge(address, 1, Integer::sum);
        total++;
        return Answer.TAKEN;
    }

    /** Releases a place that {@link #take} has given to this address. */
    public synchronized void release(InetAddress address) {
        counts.compute(address, (of, count) -> count == 1 ? null : count - 1);
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
     * @param address that asked
     * @param things what a place is for, in the plural: connections, calls
     */
    public String describe(Answer answer, InetAddress address, String things) {
        return answer == Answer.ADDRESS_HAS_ENOUGH
                ? "address " + address.getHostAddress() + " has " + perAddressMax + " " + things
                        + " open, the most that one address may have"
                : totalMax + " " + things + " are open, the most that are served";
    }
}
