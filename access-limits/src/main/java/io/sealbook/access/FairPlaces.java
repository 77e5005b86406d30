package io.sealbook.access;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.net.InetAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A limited number of places, shared by address: at the limit the address that holds most gives its oldest up. So one
 * address, however often it comes, costs another one nothing. One thread.
 *
 * @param <T> holder of a place
 */
public final class FairPlaces<T> {
    private final int placesMax;
    /** The oldest comes first. */
    private final Map<T, InetAddress> holders = new LinkedHashMap<>();

    private final Map<InetAddress, Integer> counts = new HashMap<>();

    /** @param placesMax at least 1 */
    public FairPlaces(int placesMax) {
        this.placesMax = placesMax;
    }

    /**
     * Takes a place.
     *
     * @param holder holds none yet
     * @param address where it comes from
     * @return holder that has lost its place for it; null if a place was free
     */
    public T take(T holder, InetAddress address) {
        holders.put(holder, address);
        counts.merge(address, 1, Integer::sum);
        return holders.size() > placesMax ? evict() : null;
    }

    private T evict() {
        int most = Collections.max(counts.values());
        for (Map.Entry<T, InetAddress> holder : holders.entrySet()) {
            if (counts.get(holder.getValue()) == most) {
                T evicted = holder.getKey();
                release(evicted);
                return evicted;
            }
        }
        throw new BrokenInvariantException("counts " + counts + " are not those of " + holders);
    }

    /** Gives a place back; nothing happens when it holds none. */
    public void release(T holder) {
        InetAddress address = holders.remove(holder);
        if (address != null) {
            counts.computeIfPresent(address, (of, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Returns the number of places that are taken. */
    public int takenCount() {
        return holders.size();
    }
}
