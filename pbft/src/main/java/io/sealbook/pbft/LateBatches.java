package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a primary lacks of what others acknowledged, while it has nothing to propose: it fetches that soon, from f+1 of
 * them, others each time. So a faulty replica that keeps batches from the primary does not make it look idle. A primary
 * that is busy waits for the repair of each STATUS period, because what it lacks may be in its own queues.
 */
final class LateBatches {
    private static final class Missing {
        long sinceNs;
        int asked;

        Missing(long sinceNs) {
            this.sinceNs = sinceNs;
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
        if (core.isPrimary() && core.isViewActive() && holders(table.line(sessionKey)) > 0) {
            missing.computeIfAbsent(sessionKey, key -> new Missing(core.nowNs));
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
        Map<Integer, List<BatchRange>> wanted = new TreeMap<>();
        for (Iterator<Map.Entry<Long, Missing>> i = missing.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Missing> entry = i.next();
            SessionLine line = table.line(entry.getKey());
            int holders = holders(line);
            Missing late = entry.getValue();
            if (holders == 0) {
                i.remove();
            } else if (!isBusy && core.nowNs - late.sinceNs >= core.config.fetchDelayNs()) {
                late.sinceNs = core.nowNs;
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
