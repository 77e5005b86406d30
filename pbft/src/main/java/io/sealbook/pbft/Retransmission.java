package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.ViewChange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Repair of everything that was lost (TOCS 2002, section 5.2): replicas report their progress periodically, and a
 * replica that has what another lacks sends it. Only a replica that has not moved since its last STATUS is answered, so
 * a busy cluster repeats nothing, and no more than twice per period, so that a flood of them moves nobody.
 */
final class Retransmission {
    /** STATUS periods between two repetitions of a VIEW-CHANGE, which is large. */
    private static final int VIEW_CHANGE_PERIODS = 5;
    /** One per period, and one after a start, a transfer or a delay. */
    static final int ANSWERS_PER_PERIOD = 2;

    private final Core core;
    private final Batches batches;
    private final Checkpoints checkpoints;
    private final ViewChanges viewChanges;
    private final Timers timers;
    /** The last STATUS of each replica. */
    private final Status[] last;
    /** How many STATUS of each replica may still be answered in this period: an answer is far larger than a STATUS. */
    private final int[] answersLeft;

    private long lastDeliveredBefore;

    Retransmission(Core core, Batches batches, Checkpoints checkpoints, ViewChanges viewChanges, Timers timers) {
        this.core = core;
        this.batches = batches;
        this.checkpoints = checkpoints;
        this.viewChanges = viewChanges;
        this.timers = timers;
        last = new Status[core.config.replicaCount()];
        answersLeft = new int[core.config.replicaCount()];
        Arrays.fill(answersLeft, ANSWERS_PER_PERIOD);
    }

    void announce() {
        core.broadcast(
                new Status(core.view(), core.isViewActive(), core.lowWatermark(), core.lastDelivered(), core.self));
    }

    /** One STATUS period is over. */
    void onTick() {
        core.tick++;
        Arrays.fill(answersLeft, ANSWERS_PER_PERIOD);
        timers.start(Timer.STATUS, core.config.statusIntervalNs());
        announce();
        boolean isStalled = core.lastDelivered() == lastDeliveredBefore;
        if (isStalled) {
            checkpoints.onStalled();
        }
        viewChanges.repeatSuspicion(isStalled);
        lastDeliveredBefore = core.lastDelivered();
        fetchMissing();
        if (!core.isIsolated()) {
            // To all: a replica that lacks the batches fetches them from here.
            batches.overdue().forEach(core::broadcast);
        }
        int holder = (int) (core.tick % core.config.replicaCount());
        List<BatchRange> lacking = batches.lacking(holder);
        if (!lacking.isEmpty()) {
            core.emit(new Output.Fetch(lacking, List.of(holder), false));
        }
    }

    private void fetchMissing() {
        if (core.isTransferring()) {
            return; // Where the sessions go on is not known yet.
        }
        for (Slot slot : batches.waiting()) {
            fetch(new ArrayList<>(slot.wanted), core.tick);
        }
        Slot next = core.slots.get(core.lastDelivered() + 1);
        PrePrepare committed = next == null || next.committed == null ? null : next.prePrepareOf(next.committed);
        if (committed != null && committed != next.accepted) {
            fetch(batches.missingOfNext(committed.proposal()), core.tick);
        }
    }

    private void fetch(List<BatchRange> ranges, long firstHolder) {
        if (!ranges.isEmpty()) {
            core.emit(new Output.Fetch(ranges, core.othersFrom(firstHolder), true));
        }
    }

    /** Fetches payloads that have had time to come by themselves. */
    void fetchLate() {
        if (core.isTransferring()) {
            return;
        }
        for (Slot slot : batches.waiting()) {
            if (!slot.isFetching && core.awakeNs - slot.wantedSinceAwakeNs >= core.config.fetchDelayNs()) {
                slot.isFetching = true;
                fetch(new ArrayList<>(slot.wanted), core.primary());
            }
        }
    }

    /** Returns whether a payload is going to be fetched unless it comes soon. */
    boolean isPayloadLate() {
        return !core.isTransferring() && batches.waiting().stream().anyMatch(slot -> !slot.isFetching);
    }

    void onStatus(Status status) {
        Status before = last[status.sender()];
        last[status.sender()] = status;
        boolean isViewSame =
                before == null || before.view() == status.view() && before.isViewActive() == status.isViewActive();
        boolean isStuck = isViewSame && (before == null || before.lastDelivered() >= status.lastDelivered());
        // One without the others' view goes on delivering while they commit, and is stuck all the same.
        boolean needsHelp = isStuck || isViewSame && (!status.isViewActive() || status.view() < core.view());
        if (!needsHelp) {
            return;
        }
        if (answersLeft[status.sender()] == 0) {
            core.ignore(status, IgnoreReason.NOT_NEEDED);
            return;
        }
        answersLeft[status.sender()]--;
        if (isStuck) {
            helpStable(status);
        }
        helpView(status);
        if (isStuck) {
            helpOrder(status);
        }
    }

    private void helpStable(Status status) {
        if (status.stableSequence() < core.lowWatermark()) {
            core.send(status.sender(), new CheckpointProof(core.stable(), core.self));
        }
        for (Checkpoint own : checkpoints.ownVotes(status.stableSequence())) {
            core.send(status.sender(), own);
        }
    }

    private void helpView(Status status) {
        if (core.isViewActive()) {
            boolean lacksView = status.view() < core.view() || status.view() == core.view() && !status.isViewActive();
            if (lacksView && core.standing.newView() != null && isTurn(core.view())) {
                core.send(status.sender(), core.standing.newView());
            }
            return;
        }
        ViewChange own = viewChanges.own();
        if (own != null && status.view() < core.view()) {
            core.suspicions.proof(core.view()).forEach(suspicion -> core.send(status.sender(), suspicion));
        }
        if (own != null && status.view() <= core.view() && core.tick % VIEW_CHANGE_PERIODS == 0) {
            core.send(status.sender(), own);
        }
    }

    private void helpOrder(Status status) {
        // A replica that delivered n in an earlier view commits it again in this one once it has the PREPAREs, and its
        // COMMIT may be the one that this replica lacks.
        long both = Math.min(status.lastDelivered(), core.lastDelivered());
        long from = Math.max(both, core.lowWatermark());
        long to = from + Math.max(core.config.pipelineWindow(), 2L * core.config.checkpointInterval());
        for (Slot slot : core.slots.subMap(from, false, to, true).values()) {
            PrePrepare prePrepare = slot.committed != null ? slot.prePrepareOf(slot.committed) : slot.accepted;
            // Its own PRE-PREPARE is a vote, which a replica between views does not send: it may be the first time.
            boolean isVote = prePrepare != null && prePrepare.sender() == core.self && slot.committed == null;
            boolean mayRelay = prePrepare != null && (core.isViewActive() || !isVote);
            if (mayRelay && prePrepare.sender() != status.sender() && isTurn(slot.sequence)) {
                core.send(status.sender(), prePrepare);
            }
            if (core.isViewActive() && slot.prepares[core.self] != null) {
                core.send(status.sender(), slot.prepares[core.self]);
            }
            if (slot.commits[core.self] != null) {
                core.send(status.sender(), slot.commits[core.self]);
            }
            if (slot.delivered != null) {
                core.send(status.sender(), new Commit(Commit.DECIDED_VIEW, slot.sequence, slot.delivered, core.self));
            }
        }
    }

    /** What many could relay comes from the primary and one other, a different one each period. */
    private boolean isTurn(long subject) {
        return core.isPrimary() || Math.floorMod(subject + core.tick, (long) core.config.replicaCount()) == core.self;
    }
}
