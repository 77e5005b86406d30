package io.sealbook.pbft;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Reports to the others when batches arrived here, and takes what they report. The primary relays what is news to it,
 * so that each replica knows, when it judges a proposal, at least what the primary knew. One thread.
 */
final class ArrivalLog {
    /** Numbers beyond those held here of which reports are kept: what is on its way, and little that is invented. */
    static final int REPORTED_AHEAD_MAX = 128;

    private final Core core;
    private final SessionTable table;
    private final ArrivalTimes times;
    /** Batches held since the last duty cycle began. */
    private final List<Arrival> unreported = new ArrayList<>();
    /** Sessions of which f+1 replicas have a batch that is missing here, and since when or when it was asked for. */
    private final TreeMap<Long, Long> missingSinceAwakeNs = new TreeMap<>();
    /** View whose reports were begun anew; -1 before the first. */
    private long view = -1;

    /**
     * Begins without reports.
     *
     * @param core of the replica
     * @param table of all sessions
     * @param times of what this and other replicas report
     */
    ArrivalLog(Core core, SessionTable table, ArrivalTimes times) {
        this.core = core;
        this.table = table;
        this.times = times;
    }

    /** A batch is held now, or was before a restart: then the first duty cycle is its instant. */
    void onHeld(SessionEnd batch) {
        unreported.add(new Arrival(batch, core.nowNs));
    }

    /** A duty cycle begins: reports what has arrived in the one before. */
    void flush() {
        List<Arrival> arrived = unreported.stream()
                .filter(arrival -> table.holds(arrival.batch()))
                .map(arrival -> arrival.timeNs() > 0 ? arrival : new Arrival(arrival.batch(), core.nowNs))
                .toList();
        unreported.clear();
        arrived.forEach(arrival -> times.add(core.self, arrival));
        if (!core.isIsolated()) {
            messages(arrived).forEach(core::broadcast);
        }
        fetchMissing();
    }

    /** A view begins: its primary goes by nothing that it has not relayed in it, and is told everything again. */
    void enterView() {
        if (core.isPrimary() && core.view() != view) {
            times.keepOnly(core.self);
        }
        view = core.view();
        if (core.isIsolated()) {
            return;
        }
        List<Arrival> own = new ArrayList<>();
        table.lines().forEach(line -> addOwn(line, SessionLine.AHEAD_MAX, own));
        for (Arrivals message : messages(own)) {
            if (core.isPrimary()) {
                core.broadcast(message);
            } else {
                core.send(core.primary(), message);
            }
        }
    }

    /** Returns again what was reported of these sessions: it may have been lost. */
    List<Arrivals> again(List<SessionEnd> ends) {
        List<Arrival> own = new ArrayList<>();
        ends.forEach(end -> addOwn(table.line(end.sessionKey()), Batches.ENDS_MAX, own));
        return messages(own);
    }

    private void addOwn(SessionLine line, int countMax, List<Arrival> to) {
        int count = line.isWithdrawn() ? 0 : Math.min(line.heldCount(), countMax);
        for (long number = line.delivered() + 1; number <= line.delivered() + count; number++) {
            SessionEnd batch = line.end(number);
            long timeNs = times.timeAt(core.self, batch);
            if (timeNs >= 0) {
                to.add(new Arrival(batch, timeNs));
            }
        }
    }

    private List<Arrivals> messages(List<Arrival> arrivals) {
        List<Arrivals> messages = new ArrayList<>();
        for (int from = 0; from < arrivals.size(); from += Batches.ENDS_MAX) {
            List<Arrival> part = arrivals.subList(from, Math.min(from + Batches.ENDS_MAX, arrivals.size()));
            Signature signature = core.sign(Arrivals.signedBytes(core.config.epoch(), part, core.self));
            messages.add(new Arrivals(part, core.self, signature));
        }
        return messages;
    }

    void onArrivals(Arrivals message) {
        boolean isNews = false;
        for (Arrival arrival : message.arrivals()) {
            SessionEnd batch = arrival.batch();
            if (!table.acknowledge(message.sender(), batch, core.tick)) {
                core.ignore(message, IgnoreReason.QUOTA);
                break;
            }
            SessionLine line = table.line(batch.sessionKey());
            boolean isKept = batch.number() > line.delivered() && batch.number() <= line.held() + REPORTED_AHEAD_MAX;
            if (isKept && times.add(message.sender(), arrival)) {
                isNews = true;
                noteMissing(line);
            }
        }
        if (isNews && core.isPrimary()) {
            IntStream.range(0, core.config.replicaCount())
                    .filter(replica -> replica != core.self && replica != message.sender())
                    .forEach(replica -> core.send(replica, message));
        }
    }

    private void noteMissing(SessionLine line) {
        if (missing(line) != null) {
            missingSinceAwakeNs.putIfAbsent(line.sessionKey(), core.awakeNs);
        }
    }

    /** Returns the batch after those that are held if f+1 replicas have it, or null. */
    private SessionEnd missing(SessionLine line) {
        long next = line.held() + 1;
        ArrivalReports reports = line.isWithdrawn() ? null : times.of(line.sessionKey(), next);
        Digest id = reports == null ? null : reports.reportedBy(core.quorum.oneCorrect());
        return id == null ? null : new SessionEnd(line.sessionKey(), next, id);
    }

    /** Returns whether f+1 replicas have a batch that is missing here. */
    boolean lacksAny() {
        return !missingSinceAwakeNs.isEmpty();
    }

    /** Fetches what others have and the primary waits for: the order stands still meanwhile. */
    private void fetchMissing() {
        for (Iterator<Map.Entry<Long, Long>> i = missingSinceAwakeNs.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<Long, Long> entry = i.next();
            SessionLine line = table.line(entry.getKey());
            SessionEnd missing = missing(line);
            if (missing == null) {
                i.remove();
            } else if (core.awakeNs - entry.getValue() >= core.config.fetchDelayNs() && !core.isTransferring()) {
                entry.setValue(core.awakeNs);
                ArrivalReports reports = times.of(missing.sessionKey(), missing.number());
                List<Integer> holders = IntStream.range(0, core.config.replicaCount())
                        .filter(replica -> replica != core.self && reports.timeAt(replica, missing.id()) >= 0)
                        .boxed()
                        .toList();
                BatchRange range = new BatchRange(missing, line.held(), line.idAt(line.held()));
                core.emit(new Output.Fetch(List.of(range), holders, false));
            }
        }
    }

    void onDelivered(SessionEnd end) {
        times.forgetThrough(end);
    }

    int entryCount() {
        return times.entryCount() + unreported.size() + missingSinceAwakeNs.size();
    }
}
