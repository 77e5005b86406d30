package io.sealbook.pbft;

import java.util.Map;
import java.util.TreeMap;

/**
 * Sessions of which nothing was ever held here, by the replica that acknowledged each first: a faulty one may invent
 * sessions, and fills its own share only. One thread.
 */
final class UnknownSessions {
    /** Sessions that one replica may have acknowledged before anything of them is held here. */
    static final int PER_REPLICA_MAX = 1_024;

    private final Map<Long, Integer> replicas = new TreeMap<>();
    private final int[] counts;

    /** @param replicaCount number of replicas, 4 or more */
    UnknownSessions(int replicaCount) {
        counts = new int[replicaCount];
    }

    /**
     * Notes a session that is not known so far.
     *
     * @param sessionKey of the session
     * @param replica that acknowledged it
     * @return false if the replica's share is used up
     */
    boolean add(long sessionKey, int replica) {
        if (counts[replica] == PER_REPLICA_MAX) {
            return false;
        }
        counts[replica]++;
        replicas.put(sessionKey, replica);
        return true;
    }

    /** Something of this session is held, or is in a block. */
    void remove(long sessionKey) {
        Integer replica = replicas.remove(sessionKey);
        if (replica != null) {
            counts[replica]--;
        }
    }

    int count() {
        return replicas.size();
    }
}
