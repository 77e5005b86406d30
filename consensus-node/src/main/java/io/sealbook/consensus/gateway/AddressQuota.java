package io.sealbook.consensus.gateway;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * How many of one thing may be open at once: in all, and of one address. Any thread; the lock is held for a look into a
 * map.
 */
final class AddressQuota {
    private final int totalMax;
    private final int perAddressMax;
    private final Map<InetAddress, Integer> counts = new HashMap<>();
    private int total;

    /**
     * Nothing is open.
     *
     * @param totalMax at least 1
     * @param perAddressMax at least 1
     */
    AddressQuota(int totalMax, int perAddressMax) {
        this.totalMax = totalMax;
        this.perAddressMax = perAddressMax;
    }

    /** What a request for one more gets. */
    enum Answer {
        /** It is counted; {@link AddressQuota#release} must follow. */
        TAKEN,
        ADDRESS_HAS_ENOUGH,
        ALL_ARE_TAKEN
    }

    synchronized Answer take(InetAddress address) {
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

    /** Gives back what {@link #take} has given. */
    synchronized void release(InetAddress address) {
        counts.compute(address, (of, count) -> count == 1 ? null : count - 1);
        total--;
    }

    synchronized int count() {
        return total;
    }

    int totalMax() {
        return totalMax;
    }

    int perAddressMax() {
        return perAddressMax;
    }
}
