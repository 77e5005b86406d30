package io.sealbook.pbft;

import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The batches that this replica holds, session by session: acknowledges them, and knows what the proposals of the
 * active view lack.
 */
final class Batches {
    /** Sessions in one acknowledgement or request. */
    static final int ENDS_MAX = BatchAck.ENDS_MAX;

    private final Core core;
    private final Supervision supervision;
    private final SessionTable table;
    /** Both null unless the chain has fair order. */
    private final ArrivalLog arrivals;

    private final FairOrder fairOrder;
    private final LateBatches late;
    /** The slots that lack batches. */
    private final List<Slot> waiting = new ArrayList<>();
    /** By session. */
    private final TreeMap<Long, SessionEnd> gathered = new TreeMap<>();
    /**
     * Withdrawn sessions of which something is held: a proposal named it. Each with the last number that had to be kept
     * when it was looked up last, 0 if a view has begun since.
     */
    private final TreeMap<Long, Long> withdrawn = new TreeMap<>();

    /** STATUS period in which each replica was shown last why a session is withdrawn. */
    private final long[] shownTick;

    Batches(Core core, Supervision supervision) {
        this.core = core;
        this.supervision = supervision;
        shownTick = new long[core.config.replicaCount()];
        Arrays.fill(shownTick, -1);
        boolean isFair = core.config.hasFairOrder();
        int readyMin = isFair ? core.quorum.size() : core.quorum.oneCorrect();
        table = new SessionTable(core.self, core.config.replicaCount(), readyMin);
        ArrivalTimes times = new ArrivalTimes(core.config.replicaCount());
        arrivals = isFair ? new ArrivalLog(core, table, times) : null;
        late = new LateBatches(core, table);
        fairOrder = isFair ? new FairOrder(core.quorum, table, times) : null;
    }

    /** Takes up a session at its last delivered batch; before the first batch of it comes. */
    void restore(SessionEnd delivered) {
        table.deliver(delivered, core.tick);
    }

    // What arrives.

    /** Returns the slots that lack no batch any more. */
    List<Slot> onBatchAvailable(Input.BatchAvailable available) {
        SessionEnd end = available.end();
        if (isNeedless(end) || !table.hold(end, available.previous(), core.tick)) {
            return List.of();
        }
        acknowledge(end);
        return completed();
    }

    /** Returns whether a batch belongs to a withdrawn session, and the proposal for which it was fetched is gone. */
    private boolean isNeedless(SessionEnd end) {
        long sessionKey = end.sessionKey();
        if (!table.isWithdrawn(sessionKey) || end.number() <= withdrawn.getOrDefault(sessionKey, 0L)) {
            return false;
        }
        long through = namedThrough(sessionKey);
        if (end.number() > through) {
            return true;
        }
        withdrawn.put(sessionKey, through);
        return false;
    }

    /** Returns the slots that lack no batch any more. */
    List<Slot> onRangeAvailable(BatchRange range) {
        table.holdApart(range);
        return completed();
    }

    private List<Slot> completed() {
        List<Slot> completed = new ArrayList<>();
        for (Slot slot : waiting) {
            if (slot.wanted.removeIf(table::isHeld) && slot.wanted.isEmpty()) {
                completed.add(slot);
            }
        }
        waiting.removeAll(completed);
        return completed;
    }

    /** Forgets what is held of a session beyond what {@link #namedThrough} returns. */
    void onWithdrawn(long sessionKey) {
        gathered.remove(sessionKey);
        dropBeyond(sessionKey, namedThrough(sessionKey));
    }

    /** A block is in the chain: what only a proposal in its place has named is not needed any more. */
    void dropUnnamed() {
        if (!withdrawn.isEmpty()) {
            namedThrough(withdrawn.keySet()).forEach(this::dropBeyond);
        }
    }

    private void dropBeyond(long sessionKey, long through) {
        drop(table.withdraw(sessionKey, through));
        if (table.line(sessionKey).heldCount() > 0) {
            withdrawn.put(sessionKey, through);
        } else {
            withdrawn.remove(sessionKey);
        }
    }

    /** Returns what {@link #namedThrough(Collection)} returns for a session. */
    long namedThrough(long sessionKey) {
        return namedThrough(List.of(sessionKey)).get(sessionKey);
    }

    /**
     * Returns the last number of each session that must be kept: for a proposal, see {@link Slot#keep}, or for a range
     * which the shell has passed: this replica would vote for it at once. 0 if there is none. Reads the window once,
     * however many sessions these are.
     */
    Map<Long, Long> namedThrough(Collection<Long> sessionKeys) {
        Map<Long, Long> through = new TreeMap<>();
        sessionKeys.forEach(sessionKey -> through.put(sessionKey, 0L));
        table.proposed().keepApart(through);
        for (Slot slot : core.slots.tailMap(core.lastDelivered(), false).values()) {
            slot.keep(through);
        }
        return through;
    }

    private void acknowledge(SessionEnd end) {
        if (arrivals != null) {
            arrivals.onHeld(end);
        } else if (core.mayVote() && !core.isPrimary()) {
            gathered.put(end.sessionKey(), end);
        }
    }

    /** Sends the acknowledgements gathered since the last time: to the primary, or to all if the order is fair. */
    void flushAcknowledgements() {
        if (arrivals != null) {
            arrivals.flush();
            return;
        }
        List<SessionEnd> ends = List.copyOf(gathered.values());
        gathered.clear();
        for (int from = 0; from < ends.size(); from += ENDS_MAX) {
            core.send(core.primary(), acknowledgement(ends, from));
        }
        late.fetch();
    }

    /**
     * A heartbeat period is over: acknowledges to all what has waited for a whole one, so that they know what the
     * primary could have proposed. With fair order all know from the start.
     */
    void announce() {
        if (arrivals != null || !core.mayVote() || table.heldCount() == 0) {
            return;
        }
        List<SessionEnd> ends = table.takeAnnouncements();
        for (int from = 0; from < ends.size(); from += ENDS_MAX) {
            core.broadcast(acknowledgement(ends, from));
        }
    }

    /** Returns whether others have what is missing here: the replica looks at its clock again soon. */
    boolean lacksAny() {
        return !late.isEmpty() || arrivals != null && arrivals.lacksAny();
    }

    private BatchAck acknowledgement(List<SessionEnd> ends, int from) {
        return new BatchAck(ends.subList(from, Math.min(from + ENDS_MAX, ends.size())), core.self);
    }

    void onBatchAck(BatchAck ack) {
        for (SessionEnd end : ack.ends()) {
            if (!table.acknowledge(ack.sender(), end, core.tick)) {
                core.ignore(ack, IgnoreReason.QUOTA);
                return;
            }
            late.onAcknowledged(end.sessionKey());
        }
        showEvidence(ack.sender(), ack.ends());
    }

    void onArrivals(Arrivals message) {
        if (arrivals == null) {
            core.ignore(message, IgnoreReason.NOT_NEEDED);
        } else {
            arrivals.onArrivals(message);
            showEvidence(
                    message.sender(),
                    message.arrivals().stream().map(Arrival::batch).toList());
        }
    }

    /** Its sender waits for sessions that nobody else waits for, unless it learns why. */
    private void showEvidence(int sender, List<SessionEnd> acknowledged) {
        List<Long> withdrawn = table.withdrawnOf(acknowledged);
        if (!withdrawn.isEmpty() && shownTick[sender] < core.tick) {
            shownTick[sender] = core.tick;
            // Another one each period: one that its sender cannot use must not hide the others.
            long sessionKey = withdrawn.get((int) (core.tick % withdrawn.size()));
            core.emit(new Output.ShowEvidence(sender, sessionKey));
        }
    }

    // What the order of blocks asks.

    /** Begins a view: takes up its proposals, and acknowledges to its primary all that is held. */
    void enterView() {
        gathered.clear();
        waiting.clear();
        withdrawn.replaceAll((sessionKey, through) -> 0L);
        table.forgetProposals();
        for (Slot slot : core.slots.tailMap(core.lastDelivered(), false).values()) {
            if (slot.accepted != null) {
                accept(slot);
            }
        }
        if (arrivals != null) {
            arrivals.enterView();
        } else {
            table.held().forEach(this::acknowledge);
            flushAcknowledgements();
        }
    }

    /** Stops acknowledging until a view begins. */
    void leaveView() {
        gathered.clear();
    }

    int readyCount() {
        return table.readyCount();
    }

    /** Returns the ends of the next proposal; empty if nothing is ready. */
    List<SessionEnd> take(int countMax) {
        return fairOrder == null ? table.take(countMax) : fairOrder.take(countMax);
    }

    /** Returns why the proposal that follows the accepted ones is refused for its batches, or null. */
    IgnoreReason judge(Proposal proposal) {
        if (!table.proposed().hasOnlyNew(proposal.ends())) {
            return IgnoreReason.DUPLICATE_BATCH;
        }
        return table.proposed().fits(proposal.ends(), core.config.blockMaxBatches()) ? null : IgnoreReason.MALFORMED;
    }

    /**
     * Judges the order of an accepted proposal all of whose batches are held. What a NEW-VIEW fixed was judged when it
     * was proposed, by a correct replica at least.
     */
    FairOrder.Verdict judgeOrder(Slot slot) {
        boolean isNew = slot.accepted.proposal().view() == core.view() && slot.sequence > core.lastDelivered();
        if (fairOrder == null || !isNew) {
            return FairOrder.Verdict.FAIR;
        }
        List<SessionEnd> before = new ArrayList<>();
        for (Slot other : core.slots
                .subMap(core.lastDelivered(), false, slot.sequence, false)
                .values()) {
            if (other.accepted != null) {
                before.addAll(other.accepted.proposal().ends());
            }
        }
        return fairOrder.judge(before, slot.accepted.proposal().ends());
    }

    /** Returns how many batches a proposal adds that follows the accepted ones. */
    long addedCount(List<SessionEnd> ends) {
        long count = 0;
        for (BatchRange range : table.proposed().ranges(ends)) {
            count += range.last().number() - range.after();
        }
        return count;
    }

    /** Returns the last number of a session that is delivered or in an accepted proposal. */
    long proposedThrough(long sessionKey) {
        return table.proposed().lastNumber(sessionKey);
    }

    /** Notes a proposal accepted after those before it, and which of its batches are missing. */
    void accept(Slot slot) {
        List<SessionEnd> ends = slot.accepted.proposal().ends();
        waiting.remove(slot);
        slot.wanted.clear();
        slot.wanted.addAll(table.missing(table.proposed().ranges(ends)));
        table.accept(ends);
        slot.wantedSinceAwakeNs = core.awakeNs;
        slot.isFetching = false;
        if (!slot.wanted.isEmpty()) {
            waiting.add(slot);
        }
    }

    /** Returns the batches that the next block adds. */
    List<BatchRange> rangesOfNext(Proposal proposal) {
        return table.proposed().rangesAfterDelivered(proposal.ends());
    }

    /** Returns what the next block lacks here. */
    List<BatchRange> missingOfNext(Proposal proposal) {
        return table.missing(table.proposed().rangesAfterDelivered(proposal.ends()));
    }

    List<Slot> waiting() {
        return waiting;
    }

    /** The slot's block is delivered or out of the window. */
    void release(Slot slot) {
        waiting.remove(slot);
        slot.wanted.clear();
    }

    /** The batches up to these ends are in the chain. */
    void onDelivered(List<SessionEnd> ends) {
        for (SessionEnd end : ends) {
            SessionTable.Delivered delivered = table.deliver(end, core.tick);
            supervision.onDelivered(end.sessionKey(), delivered.count());
            drop(delivered.dropped());
            if (arrivals != null) {
                arrivals.onDelivered(end);
            }
        }
    }

    private void drop(List<SessionEnd> dropped) {
        if (!dropped.isEmpty()) {
            core.emit(new Output.Drop(dropped));
        }
    }

    // Supervision and repair.

    /** Returns how many batches are held and not delivered, without those of withdrawn sessions. */
    int heldCount() {
        return table.heldCount();
    }

    /** Returns the last number of a session that is held without a gap, 0 if none is. */
    long held(long sessionKey) {
        return table.held(sessionKey);
    }

    /** Returns whether exactly the batches up to this end are held and not delivered. */
    boolean holds(SessionEnd end) {
        return table.holds(end);
    }

    /** Returns whether the range is held in the session's own line. */
    boolean holds(BatchRange range) {
        return table.holds(range);
    }

    /** Returns whether this is the last delivered batch of its session. */
    boolean isDelivered(SessionEnd end) {
        return end.equals(table.delivered(end.sessionKey()));
    }

    SessionLine line(long sessionKey) {
        return table.line(sessionKey);
    }

    Iterable<SessionLine> lines() {
        return table.lines();
    }

    /** Returns acknowledgements of the sessions that have waited for a whole STATUS period. */
    List<? extends Message> overdue() {
        List<SessionEnd> ends = table.overdue(core.tick - 1);
        if (arrivals != null) {
            return arrivals.again(ends);
        }
        List<BatchAck> acknowledgements = new ArrayList<>();
        for (int from = 0; from < ends.size(); from += ENDS_MAX) {
            acknowledgements.add(acknowledgement(ends, from));
        }
        return acknowledgements;
    }

    /**
     * Returns what a replica acknowledged a whole STATUS period ago and this one lacks, and what it acknowledged in
     * place of a batch that is held here.
     */
    List<BatchRange> lacking(int replica) {
        return replica == core.self ? List.of() : table.lacking(replica, core.tick - 1, ENDS_MAX);
    }

    /** Returns how many entries all tables hold together, for the bounded-memory check. */
    int entryCount() {
        return table.entryCount()
                + gathered.size()
                + late.entryCount()
                + (arrivals == null ? 0 : arrivals.entryCount());
    }
}
