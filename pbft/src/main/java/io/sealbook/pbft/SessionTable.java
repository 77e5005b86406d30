package io.sealbook.pbft;

import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All sessions as this replica has them, and how far the chain of accepted proposals has come in each. A proposal names
 * the last batch of each session that it serves; its first one is the next after the predecessor's, so a proposal that
 * names no batch twice and leaves no gap needs no further check.
 *
 * <p>One thread.
 */
final class SessionTable {
    private final int self;
    private final int replicaCount;
    private final int replicasMin;
    private final TreeMap<Long, SessionLine> lines = new TreeMap<>();
    /** The last number of each session that an accepted, undelivered proposal names. */
    private final Map<Long, Long> proposed = new TreeMap<>();
    /** Ends that proposals name and whose batches the shell has apart: of another version than the session's own. */
    private final Set<SessionEnd> apart = new LinkedHashSet<>();

    private final SessionTurns.LastServed lastServed = new SessionTurns.LastServed();

    /**
     * @param self id of this replica
     * @param replicaCount number of replicas, 4 or more
     * @param replicasMin how many hold a batch before it is proposed: f+1
     */
    SessionTable(int self, int replicaCount, int replicasMin) {
        this.self = self;
        this.replicaCount = replicaCount;
        this.replicasMin = replicasMin;
    }

    /** Takes up a session at the last batch of it that is in a block; before the first batch of it comes. */
    void restore(SessionEnd delivered) {
        lines.put(
                delivered.sessionKey(),
                new SessionLine(delivered.sessionKey(), self, replicaCount, delivered.number(), delivered.id()));
    }

    private SessionLine line(long sessionKey) {
        return lines.computeIfAbsent(sessionKey, key -> new SessionLine(key, self, replicaCount, 0, Digest.ZERO));
    }

    /**
     * Holds the next batch of a session; see {@link SessionLine#hold}.
     *
     * @param end the batch
     * @param previous id of the batch before
     */
    boolean hold(SessionEnd end, Digest previous) {
        return line(end.sessionKey()).hold(end.number(), end.id(), previous);
    }

    /**
     * The shell has all batches up to an end that a proposal names, of another version than the session's own. The size
     * of the shell's quarantine bounds how many such ends there are.
     */
    void holdApart(SessionEnd end) {
        apart.add(end);
    }

    /**
     * Notes that a replica holds the batches up to an end.
     *
     * @param replica that acknowledged
     * @param end of a session that exists by the genesis file: the caller has checked its key
     */
    void acknowledge(int replica, SessionEnd end) {
        line(end.sessionKey()).acknowledge(replica, end);
    }

    /** Returns how many batches may be proposed. */
    long readyCount() {
        long count = 0;
        for (Map.Entry<Long, SessionLine> entry : lines.entrySet()) {
            count += waiting(entry.getKey(), entry.getValue());
        }
        return count;
    }

    /** A session is served only while the accepted proposals continue what is held here. */
    private long waiting(long sessionKey, SessionLine line) {
        return Math.max(0, line.ready(replicasMin) - last(sessionKey));
    }

    /** Returns the last number of a session that is delivered or in an accepted proposal. */
    private long last(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        long delivered = line == null ? 0 : line.delivered();
        return Math.max(delivered, proposed.getOrDefault(sessionKey, 0L));
    }

    /**
     * Names what the next proposal holds: brokers and their sessions in turn, each from the first batch that no
     * proposal names.
     *
     * @param countMax batches of a block, 1 or more
     * @return ascending by session; empty if nothing is ready
     */
    List<SessionEnd> take(int countMax) {
        List<Long> ready = new ArrayList<>();
        lines.forEach((sessionKey, line) -> {
            if (waiting(sessionKey, line) > 0) {
                ready.add(sessionKey);
            }
        });
        long[] keys = ready.stream().mapToLong(Long::longValue).toArray();
        long[] waiting =
                ready.stream().mapToLong(key -> waiting(key, lines.get(key))).toArray();
        int[] shares = new int[keys.length];
        SessionTurns.after(keys, waiting, lastServed).deal(countMax, (place, index) -> {
            shares[place]++;
            lastServed.set(keys[place]);
        });
        List<SessionEnd> ends = new ArrayList<>(keys.length);
        for (int i = 0; i < keys.length; i++) {
            if (shares[i] > 0) {
                ends.add(lines.get(keys[i]).end(last(keys[i]) + shares[i]));
            }
        }
        return List.copyOf(ends);
    }

    /**
     * Returns whether a proposal that follows the accepted ones is well formed: sessions ascending, each with a batch
     * that is new, and no more batches than a block may have.
     *
     * @param ends of the proposal
     * @param countMax batches of a block
     */
    boolean isWellFormed(List<SessionEnd> ends, int countMax) {
        long count = 0;
        long before = -1;
        for (SessionEnd end : ends) {
            long added = end.number() - last(end.sessionKey());
            if (end.sessionKey() <= before || added <= 0 || added > countMax) {
                return false;
            }
            before = end.sessionKey();
            count += added;
        }
        return !ends.isEmpty() && count <= countMax;
    }

    /** Notes the ends of an accepted proposal that follows the accepted ones. */
    void accept(List<SessionEnd> ends) {
        for (SessionEnd end : ends) {
            proposed.merge(end.sessionKey(), end.number(), Math::max);
        }
    }

    /** Forgets the accepted proposals: a view ended. Those that the next one keeps are accepted again, in order. */
    void leaveView() {
        proposed.clear();
    }

    /** Returns the ends whose batches are missing here. */
    List<SessionEnd> missing(List<SessionEnd> ends) {
        List<SessionEnd> missing = new ArrayList<>();
        for (SessionEnd end : ends) {
            SessionLine line = lines.get(end.sessionKey());
            if ((line == null || !line.holds(end)) && !apart.contains(end)) {
                missing.add(end);
            }
        }
        return missing;
    }

    /** Notes what a block holds. */
    void deliver(List<SessionEnd> ends) {
        for (SessionEnd end : ends) {
            line(end.sessionKey()).deliver(end);
            proposed.remove(end.sessionKey(), end.number());
            apart.removeIf(other -> other.sessionKey() == end.sessionKey() && other.number() <= end.number());
        }
    }

    /** Returns the last batch of each session that is held and not delivered, ascending: an acknowledgement of all. */
    List<SessionEnd> held() {
        List<SessionEnd> ends = new ArrayList<>();
        for (SessionLine line : lines.values()) {
            if (line.held() > line.delivered()) {
                ends.add(line.end(line.held()));
            }
        }
        return ends;
    }

    /** Returns how many entries there are, for the bounded-memory check. */
    int entryCount() {
        return lines.size() + proposed.size() + apart.size();
    }
}
