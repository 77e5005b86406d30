package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a primary lacks of what others acknowledged: it fetches that from f+1 of them, others each time. A primary that
 * has nothing to propose fetches soon, so that a faulty replica that keeps batches from it does not make it look idle.
 * What a busy one lacks may be in its own queues: it fetches of a session of which nothing came for
 * {@value #BUSY_FETCH_DELAYS} fetch delays. A session goes on batch by batch, so one that was lost stops it. After a
 * pause of its own process nothing came of any session: see {@link Core#begin}.
 */
final class LateBatches {
    /** Within the grace of an idle primary; it ends before the next STATUS period with the usual delays. */
    static final int BUSY_FETCH_DELAYS = 4;

    private static final class Missing {
        /** When it began to be missing, or was asked for, or the session went on at a busy primary. */
        long sinceAwakeNs;
        /** What was held of the session then. */
        long held;

        int asked;

        Missing(long sinceAwakeNs, long held) {
            this.sinceAwakeNs = sinceAwakeNs;
            this.held = held;
        }
    }

    private final Core core;
    private final SessionTable table;
    private final TreeMap<Long, Missing> missing = new TreeMap<>();

    /**
     * Begins with nothing.
     *
     * @param core of the replica
     * @param table of all sessions
     */
    LateBatches(Core core, SessionTable table) {
        this.core = core;
        this.table = table;
    }

    /** A replica has acknowledged batches of a session. */
    void onAcknowledged(long sessionKey) {
        SessionLine line = table.line(sessionKey);
        if (core.isPrimary() && core.isViewActive() && holders(line) > 0) {
            missing.computeIfAbsent(sessionKey, key -> new Missing(core.awakeNs, line.held()));
        }
    }

    private int holders(SessionLine line) {
        int count = 0;
        for (int replica = 0; replica < core.config.replicaCount(); replica++) {
            count += lacking(line, replica) == null ? 0 : 1;
        }
        return count;
    }

    private BatchRange lacking(SessionLine line, int replica) {
        return replica == core.self || line.isWithdrawn() ? null : line.lacking(replica, Long.MAX_VALUE);
    }

    /** A duty cycle begins. */
    void fetch() {
        if (missing.isEmpty()) {
            return;
        }
        if (!core.isPrimary() || !core.mayVote()) {
            missing.clear();
            return;
        }
        boolean isBusy = table.readyCount() > 0 || core.isInFlight();
        long delayNs = (isBusy ? BUSY_FETCH_DELAYS : 1) * core.config.fetchDelayNs();
        Map<Integer, List<BatchRange>> wanted = new TreeMap<>();
        for (Iterator<Map.Entry<Long, Missing>> i = missing.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Missing> entry = i.next();
            SessionLine line = table.line(entry.getKey());
            int holders = holders(line);
            Missing late = entry.getValue();
            if (isBusy && late.held != line.held()) {
                late.held = line.held();
                late.sinceAwakeNs = core.awakeNs;
            }
            if (holders == 0) {
                i.remove();
            } else if (core.awakeNs - late.sinceAwakeNs >= delayNs) {
                late.sinceAwakeNs = core.awakeNs;
                addTo(wanted, line, late, holders);
            }
        }
        wanted.forEach((holder, ranges) -> core.emit(new Output.Fetch(ranges, List.of(holder), false)));
    }

    private void addTo(Map<Integer, List<BatchRange>> wanted, SessionLine line, Missing late, int holders) {
        for (int count = Math.min(holders, core.quorum.oneCorrect()); count > 0; count--) {
            int holder = holder(line, late.asked++ % holders);
            List<BatchRange> ranges = wanted.computeIfAbsent(holder, key -> new ArrayList<>());
            if (ranges.size() < Batches.ENDS_MAX) {
                ranges.add(lacking(line, holder));
            }
        }
    }

    /** Returns one of those that acknowledged what is missing, counted from 0. */
    private int holder(SessionLine line, int place) {
        int left = place;
        for (int replica = 0; ; replica++) {
            if (lacking(line, replica) != null && left-- == 0) {
                return replica;
            }
        }
    }

    boolean isEmpty() {
        return missing.isEmpty();
    }

    int entryCount() {
        return missing.size();
    }
}
