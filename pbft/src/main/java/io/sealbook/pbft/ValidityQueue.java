package io.sealbook.pbft;

import java.util.TreeMap;

/**
 * Pending batches by the block with which their validity is looked at, within a block in the order in which they were
 * added. They are linked to each other instead of being in a set: all come and go, few are ever looked at.
 */
final class ValidityQueue {
    /** Both ends of a block's batches. */
    private static final class Group {
        PendingBatch first;
        PendingBatch last;
    }

    private final TreeMap<Long, Group> groups = new TreeMap<>();

    /** Adds a batch under its {@link PendingBatch#expiresAt}, which does not change while it is here. */
    void add(PendingBatch batch) {
        Group group = groups.computeIfAbsent(batch.expiresAt, block -> new Group());
        batch.previous = group.last;
        if (group.last == null) {
            group.first = batch;
        } else {
            group.last.next = batch;
        }
        group.last = batch;
    }

    /** Removes a batch that is here. */
    void remove(PendingBatch batch) {
        if (batch.previous == null || batch.next == null) {
            removeEnd(batch);
        }
        if (batch.previous != null) {
            batch.previous.next = batch.next;
        }
        if (batch.next != null) {
            batch.next.previous = batch.previous;
        }
        batch.previous = null;
        batch.next = null;
    }

    private void removeEnd(PendingBatch batch) {
        Group group = groups.get(batch.expiresAt);
        if (batch.previous == null) {
            group.first = batch.next;
        }
        if (batch.next == null) {
            group.last = batch.previous;
        }
        if (group.first == null) {
            groups.remove(batch.expiresAt);
        }
    }

    /** Removes and returns the first of the batches to be looked at by this block, or null. */
    PendingBatch poll(long block) {
        if (groups.isEmpty() || groups.firstKey() > block) {
            return null;
        }
        PendingBatch first = groups.firstEntry().getValue().first;
        remove(first);
        return first;
    }
}
