package io.sealbook.node.payload;

import io.sealbook.vocabulary.Digest;

/**
 * Batch ids of the last moments, so that nothing is asked for or verified again while the first time is still under
 * way. Bounded by time and by count; forgetting early only costs a repetition. Any thread.
 */
public final class RecentIds {
    private final long windowNs;
    private final DigestWindow seenAtNs;

    /**
     * @param windowNs time for which an id is remembered
     * @param countMax number of ids remembered
     * @param hashSeed any number; a random one, so that no sender can choose ids that collide
     */
    public RecentIds(long windowNs, int countMax, long hashSeed) {
        this.windowNs = windowNs;
        this.seenAtNs = new DigestWindow(countMax, hashSeed);
    }

    /**
     * Notes an id.
     *
     * @param batchId to note
     * @param nowNs monotonic clock
     * @return false if it was noted within the window
     */
    public synchronized boolean note(Digest batchId, long nowNs) {
        while (seenAtNs.count() > 0 && nowNs - seenAtNs.oldestValue() >= windowNs) {
            seenAtNs.removeOldest();
        }
        return seenAtNs.putIfAbsent(batchId, nowNs);
    }

    /**
     * Returns whether an id was noted within the window; it is not noted by that.
     *
     * @param batchId to look for
     * @param nowNs monotonic clock
     */
    public synchronized boolean isNoted(Digest batchId, long nowNs) {
        return seenAtNs.contains(batchId) && nowNs - seenAtNs.get(batchId) < windowNs;
    }

    /** Forgets an id: its batch was not taken. */
    public synchronized void forget(Digest batchId) {
        seenAtNs.remove(batchId);
    }
}
