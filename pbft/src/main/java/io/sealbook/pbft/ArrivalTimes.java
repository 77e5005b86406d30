package io.sealbook.pbft;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.SessionEnd;
import java.util.TreeMap;

/** What replicas say about the arrival of batches that are in no block. One thread. */
final class ArrivalTimes {
    private final int replicaCount;
    /** By session and number. */
    private final TreeMap<Long, TreeMap<Long, ArrivalReports>> sessions = new TreeMap<>();

    /** @param replicaCount number of replicas, 4 or more */
    ArrivalTimes(int replicaCount) {
        this.replicaCount = replicaCount;
    }

    /**
     * Notes what a replica says; the caller has checked that the number may be held.
     *
     * @param replica that says it
     * @param arrival of a batch that is in no block
     * @return whether it is news
     */
    boolean add(int replica, Arrival arrival) {
        SessionEnd batch = arrival.batch();
        return sessions.computeIfAbsent(batch.sessionKey(), key -> new TreeMap<>())
                .computeIfAbsent(batch.number(), key -> new ArrivalReports(replicaCount))
                .add(replica, batch.id(), arrival.timeNs());
    }

    /**
     * Returns what replicas say of a number, null if none says anything.
     *
     * @param sessionKey of the session
     * @param number of the batch
     */
    ArrivalReports of(long sessionKey, long number) {
        TreeMap<Long, ArrivalReports> numbers = sessions.get(sessionKey);
        return numbers == null ? null : numbers.get(number);
    }

    /**
     * Returns when the batch that a replica holds under a number arrived there, -1 if it has not said so.
     *
     * @param replica that holds it
     * @param batch with its number
     */
    long timeAt(int replica, SessionEnd batch) {
        ArrivalReports reports = of(batch.sessionKey(), batch.number());
        return reports == null ? -1 : reports.timeAt(replica, batch.id());
    }

    /** The batches up to this end are in the chain. */
    void forgetThrough(SessionEnd end) {
        TreeMap<Long, ArrivalReports> numbers = sessions.get(end.sessionKey());
        if (numbers != null) {
            numbers.headMap(end.number(), true).clear();
            if (numbers.isEmpty()) {
                sessions.remove(end.sessionKey());
            }
        }
    }

    /** Forgets what all others than one replica said. */
    void keepOnly(int replica) {
        sessions.values().forEach(numbers -> numbers.values().removeIf(reports -> !reports.keepOnly(replica)));
        sessions.values().removeIf(TreeMap::isEmpty);
    }

    int entryCount() {
        return sessions.values().stream().mapToInt(TreeMap::size).sum();
    }
}
