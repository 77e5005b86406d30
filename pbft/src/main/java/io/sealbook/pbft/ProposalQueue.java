package io.sealbook.pbft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The batches that wait to be proposed by the primary: first in, first out within a client, round-robin over the
 * clients. A client's first batch that is not yet acknowledged by f+1 holds back that client only.
 */
final class ProposalQueue {
    private final int acknowledgementsMin;
    private final TreeMap<Integer, ArrayDeque<PendingBatch>> clients = new TreeMap<>();
    private int readyCount;
    private int lastClient = Integer.MIN_VALUE;

    ProposalQueue(int acknowledgementsMin) {
        this.acknowledgementsMin = acknowledgementsMin;
    }

    void clear() {
        clients.values().forEach(queue -> queue.forEach(batch -> batch.isQueued = false));
        clients.clear();
        readyCount = 0;
    }

    void add(PendingBatch batch) {
        clients.computeIfAbsent(batch.client, client -> new ArrayDeque<>()).add(batch);
        batch.isQueued = true;
        if (isReady(batch)) {
            readyCount++;
        }
    }

    /** Notes that one more replica holds the batch. */
    void onHolder(PendingBatch batch, int replica) {
        boolean wasReady = isReady(batch);
        batch.holders |= 1L << replica;
        if (batch.isQueued && !wasReady && isReady(batch)) {
            readyCount++;
        }
    }

    /** Removes a batch that was delivered or dropped; its place is skipped when its turn comes. */
    void remove(PendingBatch batch) {
        if (batch.isQueued) {
            taken(batch);
        }
    }

    /** Returns how many batches are acknowledged; those after an unacknowledged one of their client count too. */
    int readyCount() {
        return readyCount;
    }

    /**
     * Takes batches for the next proposal.
     *
     * @param countMax the greatest number of batches to take, at least 1
     * @param sequence of the proposal; batches that are not valid there leave the queue
     */
    List<PendingBatch> take(int countMax, long sequence) {
        List<PendingBatch> batches = new ArrayList<>(Math.min(countMax, readyCount));
        boolean hasProgress = true;
        while (hasProgress && batches.size() < countMax) {
            hasProgress = false;
            for (int client : clientsInTurn()) {
                if (batches.size() == countMax) {
                    break;
                }
                PendingBatch batch = takeFirst(client, sequence);
                if (batch != null) {
                    batches.add(batch);
                    lastClient = client;
                    hasProgress = true;
                }
            }
        }
        return batches;
    }

    private List<Integer> clientsInTurn() {
        List<Integer> inTurn = new ArrayList<>(clients.size());
        inTurn.addAll(clients.tailMap(lastClient, false).keySet());
        inTurn.addAll(clients.headMap(lastClient, true).keySet());
        return inTurn;
    }

    private PendingBatch takeFirst(int client, long sequence) {
        ArrayDeque<PendingBatch> queue = clients.get(client);
        PendingBatch first = queue.peek();
        while (first != null && (!first.isQueued || first.validUntilBlock < sequence)) {
            remove(queue.poll());
            first = queue.peek();
        }
        PendingBatch batch = first != null && isReady(first) ? queue.poll() : null;
        if (batch != null) {
            taken(batch);
        }
        if (queue.isEmpty()) {
            clients.remove(client);
        }
        return batch;
    }

    private void taken(PendingBatch batch) {
        batch.isQueued = false;
        if (isReady(batch)) {
            readyCount--;
        }
    }

    private boolean isReady(PendingBatch batch) {
        return Long.bitCount(batch.holders) >= acknowledgementsMin;
    }
}
