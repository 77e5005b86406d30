package io.sealbook.access;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A limited number of places, shared by origin, an address or a certificate: at the limit the origin that holds most
 * gives its oldest up. So one origin, however often it comes, costs another one nothing. One thread.
 *
 * @param <T> holder of a place
 */
public final class FairPlaces<T> {
    private final int placesMax;
    /** The oldest comes first. */
    private final Map<T, Object> holders = new LinkedHashMap<>();

    private final Map<Object, Integer> counts = new HashMap<>();

    /** @param placesMax at least 1 */
    public FairPlaces(int placesMax) {
        this.placesMax = placesMax;
    }

    /**
     * Takes a place.
     *
     * @param holder holds none yet
     * @param origin where it comes from: an address or a certificate
     * @return holder that has lost its place for it; null if a place was free
     */
    public T take(T holder, Object origin) {
        holders.put(holder, origin);
        counts.merge(origin, 1, Integer::sum);
        return holders.size() > placesMax ? evict() : null;
    }

    /**
     * Takes a place away: the oldest of the origin that holds most.
     *
     * @return its holder; at least one place is taken
     */
    public T evict() {
        int most = Collections.max(counts.values());
        for (Map.Entry<T, Object> holder : holders.entrySet()) {
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
        Object origin = holders.remove(holder);
        if (origin != null) {
            counts.computeIfPresent(origin, (of, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Returns the number of places that are taken. */
    public int takenCount() {
        return holders.size();
    }
}
