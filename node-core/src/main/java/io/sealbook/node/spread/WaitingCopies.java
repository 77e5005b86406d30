package io.sealbook.node.spread;

import io.sealbook.node.payload.RecentIds;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Batches of peers that wait for admission here. None of them is asked for: the answer would be one more copy in a
 * queue that is long already, and a primary that is short of processors would ask f+1 peers for all that it has not
 * come to.
 *
 * <p>An id leaves the signature out, so a faulty peer can send a copy that is refused. What was refused once is asked
 * for, whatever waits. Bounded by what waits, and by count; forgetting costs a request. Any thread.
 */
final class WaitingCopies {
    private static final long REFUSED_NS = 32_000_000_000L;
    private static final int REFUSED_MAX = 1 << 12;
    private static final int WAITING_MAX = 1 << 16;

    private final Set<Digest> waiting = ConcurrentHashMap.newKeySet();
    private final RecentIds refused;

    /** @param hashSeed any number; a random one, so that no sender can choose ids that collide */
    WaitingCopies(long hashSeed) {
        refused = new RecentIds(REFUSED_NS, REFUSED_MAX, hashSeed);
    }

    /** A copy is on its way to admission. */
    void onArrived(Digest batchId) {
        if (waiting.size() >= WAITING_MAX) {
            waiting.clear();
        }
        waiting.add(batchId);
    }

    /** There was no room for a copy. */
    void onDropped(Digest batchId) {
        waiting.remove(batchId);
    }

    /**
     * Admission has decided about a copy.
     *
     * @param batchId its id
     * @param isHere whether the batch is here now
     * @param nowNs monotonic clock
     */
    void onDecided(Digest batchId, boolean isHere, long nowNs) {
        waiting.remove(batchId);
        if (!isHere) {
            refused.note(batchId, nowNs);
        }
    }

    /**
     * Returns the ranges without those whose last batch waits. If an earlier one was dropped, it is asked for when the
     * last one is decided: while the queue is full, its answer would be dropped, too.
     *
     * @param ranges that are to be asked for; not changed
     * @param nowNs monotonic clock
     */
    List<BatchRange> notWaiting(List<BatchRange> ranges, long nowNs) {
        return ranges.stream()
                .filter(range -> isWanting(range.last().id(), nowNs))
                .toList();
    }

    private boolean isWanting(Digest batchId, long nowNs) {
        return !waiting.contains(batchId) || refused.isNoted(batchId, nowNs);
    }
}
