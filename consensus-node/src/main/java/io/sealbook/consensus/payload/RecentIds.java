package io.sealbook.consensus.payload;

import io.sealbook.pbft.Digest;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Batch ids of the last moments, so that nothing is asked for or verified again while the first time is still under way. Bounded by time
 * and by count; forgetting early only costs a repetition. Any thread.
 */
public final class RecentIds {
    private final long windowNs;
    private final int countMax;
    private final LinkedHashMap<Digest, Long> seenAtNs = new LinkedHashMap<>();

    public RecentIds(long windowNs, int countMax) {
        this.windowNs = windowNs;
        this.countMax = countMax;
    }

    /** Notes an id and returns whether it had not been noted within the window. */
    public synchronized boolean note(Digest batchId, long nowNs) {
        Iterator<Map.Entry<Digest, Long>> oldest = seenAtNs.entrySet().iterator();
        while (oldest.hasNext()) {
            boolean isOutdated = nowNs - oldest.next().getValue() >= windowNs;
            if (!isOutdated && seenAtNs.size() < countMax) {
                break;
            }
            oldest.remove();
        }
        return seenAtNs.putIfAbsent(batchId, nowNs) == null;
    }

    /** Forgets an id: what it stood for did not come about. */
    public synchronized void forget(Digest batchId) {
        seenAtNs.remove(batchId);
    }
}
