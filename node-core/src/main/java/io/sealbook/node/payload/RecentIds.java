package io.sealbook.node.payload;

import io.sealbook.pbft.DigestWindow;
import io.sealbook.vocabulary.Digest;

/**
 * Batch ids of the last moments, so that nothing is asked for or verified again while the first time is still under
 * way. Bounded by time and by count; forgetting early only costs a repetition. Any thread.
 */
public final class RecentIds {
    private final long windowNs;
    private final DigestWindow seenAtNs;

    /**
     * @param windowNs for so long an id is remembered
     * @param countMax so many are remembered
     * @param hashSeed any number; a random one, so that nobody can look for ids that collide
     */
    public RecentIds(long windowNs, int countMax, long hashSeed) {
        this.windowNs = windowNs;
        this.seenAtNs = new DigestWindow(countMax, hashSeed);
    }

    /** Notes an id and returns whether it had not been noted within the window. */
    public synchronized boolean note(Digest batchId, long nowNs) {
        while (seenAtNs.count() > 0 && nowNs - seenAtNs.oldestValue() >= windowNs) {
            seenAtNs.removeOldest();
        }
        return seenAtNs.putIfAbsent(batchId, nowNs);
    }

    /** Forgets an id: what it stood for did not come about. */
    public synchronized void forget(Digest batchId) {
        seenAtNs.remove(batchId);
    }
}
