package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * How far the accepted, undelivered proposals have come in each session, and which of their ranges the shell has apart:
 * of another version than the session's own. One thread.
 */
final class ProposedRanges {
    private final LongFunction<SessionEnd> delivered;
    private final Map<Long, SessionEnd> last = new TreeMap<>();
    private final Set<BatchRange> apart = new LinkedHashSet<>();

    /** @param delivered returns the last delivered batch of a session, null if there is none */
    ProposedRanges(LongFunction<SessionEnd> delivered) {
        this.delivered = delivered;
    }

    /** Returns the last end of a session that a proposal names; null if none does. */
    SessionEnd last(long sessionKey) {
        return last.get(sessionKey);
    }

    private SessionEnd lastOrDelivered(long sessionKey) {
        SessionEnd named = last.get(sessionKey);
        return named == null ? delivered.apply(sessionKey) : named;
    }

    /** Returns the last number of a session that is delivered or in an accepted proposal. */
    long lastNumber(long sessionKey) {
        SessionEnd end = lastOrDelivered(sessionKey);
        return end == null ? 0 : end.number();
    }

    /** Returns whether each end of a proposal that follows the accepted ones adds batches to its session. */
    boolean hasOnlyNew(List<SessionEnd> ends) {
        return ranges(ends).size() == ends.size();
    }

    private boolean isNew(SessionEnd end) {
        return Long.compareUnsigned(end.number(), lastNumber(end.sessionKey())) > 0;
    }

    /**
     * Returns whether a proposal that follows the accepted ones has no more batches than a block may have.
     *
     * @param ends of the proposal, each new
     * @param countMax batches of a block
     */
    boolean fits(List<SessionEnd> ends, int countMax) {
        long count = 0;
        for (BatchRange range : ranges(ends)) {
            long added = range.last().number() - range.after();
            if (added < 0 || added > countMax) {
                return false;
            }
            count += added;
        }
        return count <= countMax;
    }

    /** Returns the batches that a proposal adds which follows the accepted ones. */
    List<BatchRange> ranges(List<SessionEnd> ends) {
        return rangesAfter(ends, this::lastOrDelivered);
    }

    /** Returns the batches that the next block adds to those that are delivered; delivered ones are left out. */
    List<BatchRange> rangesAfterDelivered(List<SessionEnd> ends) {
        return rangesAfter(ends, delivered);
    }

    /** With fair order a proposal names a session more than once: each range follows the one before. */
    private static List<BatchRange> rangesAfter(List<SessionEnd> ends, LongFunction<SessionEnd> lastBefore) {
        List<BatchRange> ranges = new ArrayList<>(ends.size());
        Map<Long, SessionEnd> named = new TreeMap<>();
        for (SessionEnd end : ends) {
            SessionEnd within = named.get(end.sessionKey());
            SessionEnd last = within == null ? lastBefore.apply(end.sessionKey()) : within;
            if (last == null) {
                ranges.add(new BatchRange(end, 0, Digest.ZERO));
                named.put(end.sessionKey(), end);
            } else if (Long.compareUnsigned(end.number(), last.number()) > 0) {
                ranges.add(new BatchRange(end, last.number(), last.id()));
                named.put(end.sessionKey(), end);
            }
        }
        return ranges;
    }

    /** A proposal that follows the accepted ones names this end. */
    void accept(SessionEnd end) {
        if (isNew(end)) {
            last.put(end.sessionKey(), end);
        }
    }

    void holdApart(BatchRange range) {
        apart.add(range);
    }

    boolean isHeldApart(BatchRange range) {
        return apart.contains(range);
    }

    /**
     * Raises the last numbers that must be kept of sessions, to those of the ranges that are held apart.
     *
     * @param through by session; no session is added
     */
    void keepApart(Map<Long, Long> through) {
        for (BatchRange range : apart) {
            through.computeIfPresent(
                    range.sessionKey(),
                    (key, before) -> Math.max(before, range.last().number()));
        }
    }

    /** The batches up to this end are in the chain. */
    void deliver(SessionEnd end) {
        SessionEnd named = last.get(end.sessionKey());
        if (named != null && !isBeyond(named, end)) {
            last.remove(end.sessionKey());
        }
        apart.removeIf(range -> range.sessionKey() == end.sessionKey() && !isBeyond(range.last(), end));
    }

    private static boolean isBeyond(SessionEnd end, SessionEnd delivered) {
        return Long.compareUnsigned(end.number(), delivered.number()) > 0;
    }

    /** Forgets all; returns the sessions that the proposals named. */
    Collection<Long> forget() {
        List<Long> sessions = List.copyOf(last.keySet());
        last.clear();
        apart.clear();
        return sessions;
    }

    int entryCount() {
        return last.size() + apart.size();
    }
}
