package io.sealbook.pbft;

import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The order of batches by their arrival at a quorum (after Zhang et al., Pompē, OSDI 2020): the primary takes them in
 * it, the others check it. The time of a batch is the (f+1)-th earliest of the reports of at least Q replicas: f liars
 * cannot move it out of the interval between the first and the last correct replica. The argument why no correct
 * primary is found unfair is in {@code pbft/doc/protocol.md}. One thread.
 */
final class FairOrder {
    /** What a replica makes of a proposal's order. */
    enum Verdict {
        FAIR,
        /** Fewer than Q replicas have reported one of its batches here. */
        UNKNOWN,
        /** A batch stands before another one that arrived earlier and that the primary must have known. */
        UNFAIR
    }

    /** The next batch of a session at a place in the order. */
    private record Head(SessionLine line, SessionEnd batch, ArrivalReports reports, long timeNs) {}

    private static final Comparator<Head> BY_TIME =
            Comparator.comparingLong(Head::timeNs).thenComparing(head -> head.batch.sessionKey());

    private final Quorum quorum;
    private final SessionTable table;
    private final ArrivalTimes arrivals;

    /**
     * Orders the batches of a table.
     *
     * @param quorum of the replicas
     * @param table of all sessions
     * @param arrivals of their batches
     */
    FairOrder(Quorum quorum, SessionTable table, ArrivalTimes arrivals) {
        this.quorum = quorum;
        this.table = table;
        this.arrivals = arrivals;
    }

    /**
     * Takes batches in the order of their times, and none that might be later than one which too few have reported so
     * far. Names each run of one session by its last batch.
     *
     * @param countMax batches of a block, 1 or more
     * @return in their order; empty if nothing may be proposed yet
     */
    List<SessionEnd> take(int countMax) {
        PriorityQueue<Head> heads = new PriorityQueue<>(BY_TIME);
        long limitNs = Long.MAX_VALUE;
        for (SessionLine line : table.lines()) {
            if (table.isContinued(line)) {
                long number = table.proposed().lastNumber(line.sessionKey()) + 1;
                limitNs = Math.min(limitNs, offer(line, number, heads));
            }
        }
        List<SessionEnd> taken = new ArrayList<>();
        for (int count = 0; count < countMax && !heads.isEmpty() && heads.peek().timeNs <= limitNs; count++) {
            Head next = heads.remove();
            if (!taken.isEmpty() && taken.getLast().sessionKey() == next.batch.sessionKey()) {
                taken.removeLast();
            }
            taken.add(next.batch);
            limitNs = Math.min(limitNs, offer(next.line, next.batch.number() + 1, heads));
        }
        return List.copyOf(taken);
    }

    /**
     * Offers the batch of a session under a number, if a quorum has reported it.
     *
     * @return the instant beyond which nothing else may be taken now: f+1 replicas have the batch, a quorum may follow,
     *     and any of those that reported it may have been the first
     */
    private long offer(SessionLine line, long number, PriorityQueue<Head> heads) {
        ArrivalReports reports = line.isWithdrawn() ? null : arrivals.of(line.sessionKey(), number);
        if (reports == null) {
            return Long.MAX_VALUE;
        }
        Digest held = line.idAt(number);
        if (held != null && reports.count(held) >= quorum.size()) {
            long timeNs = reports.earliest(held, quorum.oneCorrect());
            heads.add(new Head(line, line.end(number), reports, timeNs));
            return Long.MAX_VALUE;
        }
        Digest reported = reports.reportedBy(quorum.oneCorrect());
        return reported == null ? Long.MAX_VALUE : reports.earliest(reported, 1);
    }

    /**
     * Judges the order of a proposal whose batches are all held.
     *
     * @param before ends of the accepted, undelivered proposals before it
     * @param ends of the proposal
     */
    Verdict judge(List<SessionEnd> before, List<SessionEnd> ends) {
        TreeMap<Long, Long> last = new TreeMap<>();
        before.forEach(end -> last.put(end.sessionKey(), end.number()));
        TreeMap<Long, Head> heads = new TreeMap<>();
        for (SessionLine line : table.lines()) {
            putHead(line, last.computeIfAbsent(line.sessionKey(), key -> line.delivered()) + 1, heads);
        }
        for (SessionEnd end : ends) {
            SessionLine line = table.line(end.sessionKey());
            if (!line.holds(end)) {
                continue; // Held apart: its broker signed two batches under one number, and loses the session for it.
            }
            for (long number = last.get(end.sessionKey()) + 1; number <= end.number(); number++) {
                heads.remove(end.sessionKey());
                Verdict verdict = judge(line.end(number), heads);
                if (verdict != Verdict.FAIR) {
                    return verdict;
                }
                last.put(end.sessionKey(), number);
                putHead(line, number + 1, heads);
            }
        }
        return Verdict.FAIR;
    }

    /** Notes the next batch of a session with the latest time that a primary may have given it. */
    private void putHead(SessionLine line, long number, TreeMap<Long, Head> heads) {
        ArrivalReports reports = line.isWithdrawn() ? null : arrivals.of(line.sessionKey(), number);
        Digest held = line.idAt(number);
        if (reports != null && held != null && reports.count(held) >= quorum.oneCorrect()) {
            long timeNs = reports.latest(held, quorum.oneCorrect());
            heads.put(line.sessionKey(), new Head(line, line.end(number), reports, timeNs));
        }
    }

    /** Judges whether one of the heads belongs before a batch. */
    private Verdict judge(SessionEnd batch, TreeMap<Long, Head> heads) {
        ArrivalReports reports = arrivals.of(batch.sessionKey(), batch.number());
        int count = reports == null ? 0 : reports.count(batch.id());
        if (count < quorum.size()) {
            return Verdict.UNKNOWN;
        }
        long timeNs = reports.earliest(batch.id(), quorum.oneCorrect());
        // Of the Q reports that the primary went by, more than f were of replicas that had reported the head before.
        int beforeMax = count - quorum.size() + quorum.faultyMax();
        for (Head head : heads.values()) {
            if (head.timeNs < timeNs && head.reports.countBefore(head.batch.id(), reports, batch.id()) > beforeMax) {
                return Verdict.UNFAIR;
            }
        }
        return Verdict.FAIR;
    }
}
