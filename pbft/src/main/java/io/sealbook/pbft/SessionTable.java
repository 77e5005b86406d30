package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
    private final UnknownSessions unknown;
    private final ProposedRanges proposed = new ProposedRanges(this::delivered);
    private final ReadySessions ready = new ReadySessions();
    /** Batches that are held and not delivered, without those of sessions that no replica waits for. */
    private int heldCount;

    /**
     * @param self id of this replica
     * @param replicaCount number of replicas, 4 or more
     * @param replicasMin how many hold a batch before it is proposed, f+1 at least
     */
    SessionTable(int self, int replicaCount, int replicasMin) {
        this.self = self;
        this.replicaCount = replicaCount;
        this.replicasMin = replicasMin;
        unknown = new UnknownSessions(replicaCount);
    }

    /** Returns the line of a session, which begins empty. */
    SessionLine line(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        if (line == null) {
            line = new SessionLine(sessionKey, self, replicaCount);
            lines.put(sessionKey, line);
        }
        return line;
    }

    private SessionLine knownLine(long sessionKey) {
        unknown.remove(sessionKey);
        return line(sessionKey);
    }

    // What is held.

    /**
     * Holds the next batch of a session; see {@link SessionLine#hold}.
     *
     * @param end the batch
     * @param previous id of the batch before
     * @param tick the present STATUS period
     */
    boolean hold(SessionEnd end, Digest previous, long tick) {
        SessionLine line = knownLine(end.sessionKey());
        int before = waiting(line);
        boolean isHeld = line.hold(end, previous, tick);
        update(line, before);
        return isHeld;
    }

    /** How many of a line's batches are waited for. */
    private static int waiting(SessionLine line) {
        return line.isWithdrawn() ? 0 : line.heldCount();
    }

    /** Counts again what has changed in a line. */
    private void update(SessionLine line, int waitingBefore) {
        heldCount += waiting(line) - waitingBefore;
        updateReady(line);
    }

    /** A session is served only while the accepted proposals continue what is held here. */
    private void updateReady(SessionLine line) {
        SessionEnd last = proposed.last(line.sessionKey());
        long through = last == null ? line.delivered() : last.number();
        ready.set(line.sessionKey(), isContinued(line) ? (int) Math.max(0, line.ready(replicasMin) - through) : 0);
    }

    /** Returns whether what is held of a session continues the accepted proposals. */
    boolean isContinued(SessionLine line) {
        SessionEnd last = proposed.last(line.sessionKey());
        return last == null || last.id().equals(line.idAt(last.number()));
    }

    /**
     * The shell has all batches of a range that a proposal names, of another version than the session's own.
     *
     * @param range that {@link #missing} returned; forgotten with its proposal
     */
    void holdApart(BatchRange range) {
        proposed.holdApart(range);
    }

    /**
     * Notes that a replica holds the batches up to an end.
     *
     * @param replica that acknowledged
     * @param end that it acknowledged
     * @param tick the present STATUS period
     * @return false if it has acknowledged too many sessions of which nothing is held here
     */
    boolean acknowledge(int replica, SessionEnd end, long tick) {
        if (!lines.containsKey(end.sessionKey()) && !unknown.add(end.sessionKey(), replica)) {
            return false;
        }
        SessionLine line = line(end.sessionKey());
        line.acknowledge(replica, end, tick);
        updateReady(line);
        return true;
    }

    /** Returns the last number of a session that is held without a gap, 0 if none is. */
    long held(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        return line == null ? 0 : line.held();
    }

    /** Returns the last delivered batch of a session; null if there is none. */
    SessionEnd delivered(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        return line == null || line.delivered() == 0
                ? null
                : new SessionEnd(sessionKey, line.delivered(), line.idAt(line.delivered()));
    }

    /** Returns whether exactly the batches up to this end are held in the session's own line. */
    boolean holds(SessionEnd end) {
        SessionLine line = lines.get(end.sessionKey());
        return line != null && line.holds(end);
    }

    /** Returns whether the range is held in the session's own line. */
    boolean holds(BatchRange range) {
        SessionLine line = lines.get(range.sessionKey());
        return line != null && line.holds(range);
    }

    // What is proposed.

    /** Returns how far the accepted proposals have come; it is changed here only. */
    ProposedRanges proposed() {
        return proposed;
    }

    /** Returns how many batches may be proposed. */
    int readyCount() {
        return ready.total();
    }

    /**
     * Names what the next proposal holds: brokers and their sessions in turn, each from the first batch that no
     * proposal names.
     *
     * @param countMax batches of a block, 1 or more
     * @return ascending by session; empty if nothing is ready
     */
    List<SessionEnd> take(int countMax) {
        return ready.take(
                countMax, (sessionKey, count) -> lines.get(sessionKey).end(proposed.lastNumber(sessionKey) + count));
    }

    /** Notes the ends of an accepted proposal that follows the accepted ones. */
    void accept(List<SessionEnd> ends) {
        for (SessionEnd end : ends) {
            proposed.accept(end);
            updateReadyOf(end.sessionKey());
        }
    }

    /** A faulty primary may name sessions that do not exist: they get no line. */
    private void updateReadyOf(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        if (line != null) {
            updateReady(line);
        }
    }

    /**
     * Forgets the accepted proposals and what is held apart for them. Those that still count are accepted again, in
     * order.
     */
    void forgetProposals() {
        proposed.forget().forEach(this::updateReadyOf);
    }

    /** Returns the ranges whose batches are missing here. */
    List<BatchRange> missing(List<BatchRange> ranges) {
        return ranges.stream().filter(range -> !isHeld(range)).toList();
    }

    boolean isHeld(BatchRange range) {
        return holds(range) || proposed.isHeldApart(range);
    }

    // What is delivered.

    /**
     * What a delivery has changed.
     *
     * @param count batches that were delivered; 0 if they had been before
     * @param dropped what was held and follows no delivered batch
     */
    record Delivered(long count, List<SessionEnd> dropped) {}

    /**
     * Notes what a block holds.
     *
     * @param end of its batches of one session
     * @param tick the present STATUS period
     */
    Delivered deliver(SessionEnd end, long tick) {
        SessionLine line = knownLine(end.sessionKey());
        long delivered = line.delivered();
        int before = waiting(line);
        if (Long.compareUnsigned(end.number(), delivered) <= 0) {
            return new Delivered(0, List.of());
        }
        List<SessionEnd> dropped = line.deliver(end, tick);
        proposed.deliver(end);
        update(line, before);
        return new Delivered(end.number() - delivered, dropped);
    }

    /**
     * No replica waits for a session any more; see {@link SessionLine#withdraw}.
     *
     * @param sessionKey of the session
     * @param through last number that must be kept, 0 if there is none
     * @return what was held beyond it
     */
    List<SessionEnd> withdraw(long sessionKey, long through) {
        SessionLine line = knownLine(sessionKey);
        int before = waiting(line);
        List<SessionEnd> dropped = line.withdraw(through);
        update(line, before);
        return dropped;
    }

    /** Returns whether no replica waits for a session any more. */
    boolean isWithdrawn(long sessionKey) {
        SessionLine line = lines.get(sessionKey);
        return line != null && line.isWithdrawn();
    }

    /** Returns the sessions of these ends that no replica should wait for, if the ends are not delivered. */
    List<Long> withdrawnOf(List<SessionEnd> ends) {
        return ends.stream()
                .filter(end -> {
                    SessionLine line = lines.get(end.sessionKey());
                    return line != null
                            && line.isWithdrawn()
                            && Long.compareUnsigned(end.number(), line.delivered()) > 0;
                })
                .map(SessionEnd::sessionKey)
                .toList();
    }

    // Supervision and repair.

    /** Returns how many batches are held and not delivered, without those that no replica waits for. */
    int heldCount() {
        return heldCount;
    }

    Collection<SessionLine> lines() {
        return lines.values();
    }

    /** A heartbeat period is over. Returns what all others are to hear; see {@link SessionLine#takeAnnouncement}. */
    List<SessionEnd> takeAnnouncements() {
        List<SessionEnd> ends = new ArrayList<>();
        for (SessionLine line : lines.values()) {
            if (line.takeAnnouncement(proposed.lastNumber(line.sessionKey()))) {
                ends.add(line.end(line.held()));
            }
        }
        return ends;
    }

    /** Returns the end of what is held, for each session that is waited for and that no proposal names so far. */
    List<SessionEnd> held() {
        return overdue(Long.MAX_VALUE);
    }

    /**
     * Returns the end of each session of which nothing was delivered since before a STATUS period although batches are
     * held that no proposal names.
     */
    List<SessionEnd> overdue(long tick) {
        List<SessionEnd> ends = new ArrayList<>();
        for (SessionLine line : lines.values()) {
            boolean isProposed = Long.compareUnsigned(proposed.lastNumber(line.sessionKey()), line.held()) >= 0;
            if (waiting(line) > 0 && line.waitingSince() < tick && !isProposed) {
                ends.add(line.end(line.held()));
            }
        }
        return ends;
    }

    /**
     * Returns what a replica acknowledged before a STATUS period and this one lacks, or holds in another version.
     *
     * @param replica that acknowledged
     * @param tick only what came before this period
     * @param countMax ranges at most
     */
    List<BatchRange> lacking(int replica, long tick, int countMax) {
        return lines.values().stream()
                .filter(line -> !line.isWithdrawn())
                .map(line -> lacking(line, replica, tick))
                .filter(range -> range != null)
                .limit(countMax)
                .toList();
    }

    private static BatchRange lacking(SessionLine line, int replica, long tick) {
        BatchRange differing = line.differing(replica);
        return differing != null ? differing : line.lacking(replica, tick);
    }

    /** Returns how many entries there are, for the bounded-memory check. */
    int entryCount() {
        return lines.size() + proposed.entryCount() + ready.sessionCount() + unknown.count() + heldCount;
    }
}
