package io.sealbook.pbft;

import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import java.util.Map;

/**
 * The normal case (TOCS 2002, section 4.2), pipelined: PRE-PREPARE, PREPARE, COMMIT, delivery in order.
 *
 * <p>Departures from the paper, all safe. A proposal names its predecessor and is accepted only after it, so a primary
 * cannot leave gaps (pitfall 6). Certificates are made in sequence order, so no null proposals are needed. A replica
 * delivers what Q replicas committed in one view even if it did not prepare it itself: f+1 correct ones did. It also
 * delivers what f+1 report as delivered.
 */
final class Ordering {
    private final Core core;
    private final Batches batches;
    private final Timers timers;
    /** The block that this replica proposed last, or after which it begins to. */
    private long lastProposed;
    /** The high watermark up to which proposals that waited for the window were accepted. */
    private long openedThrough;

    Ordering(Core core, Batches batches, Timers timers) {
        this.core = core;
        this.batches = batches;
        this.timers = timers;
    }

    // Proposing.

    /** Proposes what the triggers allow: a full block, an idle pipeline, or a batch that has waited long enough. */
    void propose() {
        if (!core.isPrimary()
                || !core.mayVote()
                || core.isHandingOver
                || core.standing.isHeld()
                || core.lastDelivered() < core.lowWatermark()) {
            return;
        }
        while (isProposalDue() && proposeNext()) {
            timers.stop(Timer.BATCH);
            timers.hasBatchWaited = false;
        }
        if (batches.readyCount() > 0 && !timers.hasBatchWaited) {
            timers.startIfStopped(Timer.BATCH, core.config.blockMaxWaitNs());
        }
    }

    private boolean isProposalDue() {
        lastProposed = Math.max(lastProposed, core.lastDelivered());
        long inFlight = lastProposed - core.lastSettled();
        return batches.readyCount() > 0
                && lastProposed < core.proposableThrough()
                && core.chain.before(lastProposed + 1) != null
                && (inFlight == 0 || timers.hasBatchWaited || batches.readyCount() >= core.config.blockMaxBatches());
    }

    private boolean proposeNext() {
        long sequence = lastProposed + 1;
        List<SessionEnd> taken = batches.take(core.config.blockMaxBatches());
        if (taken.isEmpty()) {
            return false;
        }
        Proposal proposal = new Proposal(core.view(), sequence, timeOf(sequence), core.chain.before(sequence), taken);
        PrePrepare prePrepare = sign(proposal);
        lastProposed = sequence;
        Slot slot = core.slot(sequence);
        slot.accept(prePrepare, core.pace.period());
        batches.accept(slot);
        record(slot);
        core.broadcast(prePrepare);
        checkPrepared(slot);
        return true;
    }

    /**
     * Returns the time of the own clock, or that of the block below if it is a little later. Where that is further
     * ahead, a quorum's clocks were set back: far inside the drift bound of all others, the own time is proposed, and
     * the committer gives the block the time of its predecessor.
     */
    private long timeOf(long sequence) {
        long timeBefore = core.chain.timeBefore(sequence);
        boolean isNear = timeBefore - core.nowNs <= core.config.blockTimeDriftMaxNs() / 2;
        return isNear ? Math.max(core.nowNs, timeBefore) : core.nowNs;
    }

    PrePrepare sign(Proposal proposal) {
        byte[] signedBytes = PrePrepare.signedBytes(
                core.config.epoch(), core.view(), proposal.sequence(), proposal.digest(), core.self);
        return new PrePrepare(core.view(), proposal.sequence(), proposal, core.self, core.sign(signedBytes));
    }

    // Votes of others.

    void onPrePrepare(PrePrepare prePrepare) {
        IgnoreReason reason = judge(prePrepare);
        if (reason != null) {
            core.ignore(prePrepare, reason);
            return;
        }
        Slot slot = core.slot(prePrepare.sequence());
        if (!core.isInWindow(slot.sequence) || !core.chain.isPredecessorAccepted(slot.sequence)) {
            if (slot.held == null) {
                slot.held = prePrepare;
            } else {
                core.ignore(prePrepare, sameOrConflicting(slot.held.digest(), prePrepare.digest()));
            }
            return;
        }
        accept(slot, prePrepare);
        releaseHeld(slot.sequence + 1);
    }

    /** Returns why the proposal cannot be accepted in this view, or null. */
    private IgnoreReason judge(PrePrepare prePrepare) {
        long sequence = prePrepare.sequence();
        IgnoreReason formReason = judgeForm(prePrepare);
        if (formReason != null) {
            return formReason;
        }
        if (!core.isKept(sequence)) {
            return IgnoreReason.OUT_OF_WINDOW;
        }
        if (prePrepare.view() != core.view() || !core.isViewActive()) {
            learn(prePrepare);
            return IgnoreReason.OLD_VIEW;
        }
        Slot slot = core.slot(sequence);
        if (slot.accepted != null) {
            learn(prePrepare);
            return sameOrConflicting(slot.accepted.digest(), prePrepare.digest());
        }
        if (core.isIsolated()) {
            learn(prePrepare);
            return IgnoreReason.NOT_NEEDED;
        }
        if (sequence <= core.standing.newViewLast()) {
            learn(prePrepare);
            return IgnoreReason.NOT_NEEDED;
        }
        boolean contradicts = slot.delivered != null && !slot.delivered.equals(prePrepare.digest());
        return contradicts ? IgnoreReason.CONFLICTING : null;
    }

    /** Returns what is wrong with a proposal in whatever view it is read, or null. */
    private IgnoreReason judgeForm(PrePrepare prePrepare) {
        if (prePrepare.sender() != core.primary(prePrepare.view())) {
            return IgnoreReason.WRONG_ROLE;
        }
        return isWellFormed(prePrepare) ? null : IgnoreReason.MALFORMED;
    }

    private boolean isWellFormed(PrePrepare prePrepare) {
        Proposal proposal = prePrepare.proposal();
        // Only a NEW-VIEW carries proposals of earlier views, but others relay them one by one.
        return proposal.sequence() == prePrepare.sequence()
                && proposal.view() <= prePrepare.view()
                && proposal.hasForm(core.config.blockMaxBatches(), core.config.hasFairOrder());
    }

    private static IgnoreReason sameOrConflicting(Digest first, Digest second) {
        return first.equals(second) ? IgnoreReason.DUPLICATE : IgnoreReason.CONFLICTING;
    }

    /**
     * Takes a proposal of a view that has not begun here.
     *
     * @return whether it may be kept until its view begins: its size is bounded
     */
    boolean onLaterPrePrepare(PrePrepare prePrepare) {
        IgnoreReason reason = judgeForm(prePrepare);
        if (reason != null) {
            core.ignore(prePrepare, reason);
            return false;
        }
        learn(prePrepare);
        return true;
    }

    /** Keeps a proposal that this replica does not vote for, in case the others commit it. */
    private void learn(PrePrepare prePrepare) {
        if (!core.isKept(prePrepare.sequence()) || prePrepare.sequence() <= core.lastDelivered()) {
            return;
        }
        Slot slot = core.slot(prePrepare.sequence());
        if (slot.prePrepareOf(prePrepare.digest()) != null) {
            return;
        }
        if (slot.learned == null || slot.supporterCount(prePrepare.digest()) >= core.quorum.oneCorrect()) {
            slot.learned = prePrepare;
        }
    }

    private void accept(Slot slot, PrePrepare prePrepare) {
        IgnoreReason reason = judgeContent(prePrepare.proposal());
        if (reason != null) {
            core.ignore(prePrepare, reason);
            learn(prePrepare);
            return;
        }
        slot.accept(prePrepare, core.pace.period());
        if (slot.sequence > core.lastDelivered()) {
            core.pipeline.onProposal(batches.addedCount(prePrepare.proposal().ends()));
            batches.accept(slot);
        }
        prepare(slot);
    }

    /**
     * Returns why a first proposal for its sequence is refused, or null. What Q others have committed is not judged
     * again.
     */
    private IgnoreReason judgeContent(Proposal proposal) {
        if (proposal.view() != core.view()) {
            return IgnoreReason.MALFORMED;
        }
        if (!proposal.previous().equals(core.chain.before(proposal.sequence()))) {
            return IgnoreReason.WRONG_PREDECESSOR;
        }
        if (proposal.sequence() <= core.lastDelivered()) {
            return null;
        }
        IgnoreReason reason = batches.judge(proposal);
        return reason != null || isTimeAcceptable(proposal) ? reason : IgnoreReason.BLOCK_TIME;
    }

    /**
     * Judges by the own clock alone. Replicas that restarted know other blocks below than those that did not, so that a
     * bound by the block below would part correct ones; the committer never lets block time go back.
     */
    private boolean isTimeAcceptable(Proposal proposal) {
        return Math.abs(proposal.blockTimeNs() - core.nowNs) <= core.config.blockTimeDriftMaxNs();
    }

    /** Accepts proposals that waited for the end of a state transfer. */
    void releaseHeld() {
        List.copyOf(core.slots.keySet()).forEach(this::releaseHeld);
    }

    /** Accepts proposals that waited for the window, if it has moved. */
    void releaseOpened() {
        long first = openedThrough + 1;
        openedThrough = core.highWatermark();
        if (first <= openedThrough) {
            releaseHeld(first);
        }
    }

    /** Accepts proposals that waited for their predecessor. */
    private void releaseHeld(long from) {
        for (long sequence = from; core.mayVote(); sequence++) {
            Slot slot = core.slots.get(sequence);
            if (slot == null
                    || slot.held == null
                    || slot.accepted != null
                    || !core.isInWindow(sequence)
                    || !core.chain.isPredecessorAccepted(sequence)) {
                return;
            }
            PrePrepare held = slot.held;
            slot.held = null;
            accept(slot, held);
        }
    }

    /** Votes for the accepted proposal, and for those after it that waited for this vote. */
    void prepare(Slot slot) {
        for (Slot next = slot; next != null && vote(next); ) {
            next = core.slots.get(next.sequence + 1);
        }
        checkPrepared(slot);
    }

    /**
     * As backup: votes for the accepted proposal once every payload it names is held (pitfalls 2 and 15), in the order
     * of sequence numbers. A proposal enters the log with the vote. One that gets no vote, because its primary invented
     * what it names, costs nothing there, and binds the replica to nothing after a restart. So the log lacks a proposal
     * that was delivered without a vote. If the replica dies before the archive holds that block, it votes for no
     * proposal from there on until others show it that block, or the view changes. Returns whether it votes now and did
     * not before.
     */
    private boolean vote(Slot slot) {
        if (core.isPrimary()
                || !core.mayVote()
                || !slot.hasAccepted(core.view())
                || slot.prepares[core.self] != null
                || !slot.wanted.isEmpty()
                || !core.chain.isContinuedBy(slot)
                || !core.chain.isPredecessorVoted(slot)) {
            return false;
        }
        slot.judge(batches.judgeOrder(slot), core.tick);
        if (slot.isRefused()) {
            return false;
        }
        if (!slot.isRecorded()) {
            record(slot);
        }
        Digest digest = slot.accepted.digest();
        byte[] signedBytes = Prepare.signedBytes(core.config.epoch(), core.view(), slot.sequence, digest, core.self);
        Prepare prepare = new Prepare(core.view(), slot.sequence, digest, core.self, core.sign(signedBytes));
        slot.prepares[core.self] = prepare;
        core.broadcast(prepare);
        return true;
    }

    /** Writes the accepted proposal into the log, before the vote for it leaves. */
    private void record(Slot slot) {
        core.persist(new ReplicaRecord.Accepted(slot.accepted));
        slot.record();
    }

    /** Judges the order of proposals again that it kept this replica from voting for. */
    void prepareJudged() {
        for (Slot slot : core.slots.tailMap(core.lastDelivered(), false).values()) {
            if (slot.isRefused()) {
                prepare(slot);
            }
        }
    }

    /** A STATUS period is over. Returns whether an order has been unfair for a whole one, whatever came meanwhile. */
    boolean isOrderUnfair() {
        prepareJudged();
        return core.slots.tailMap(core.lastDelivered(), false).values().stream()
                .anyMatch(slot -> slot.isUnfairSince(core.tick));
    }

    void onPrepare(Prepare prepare) {
        if (prepare.sender() == core.primary(prepare.view())) {
            core.ignore(prepare, IgnoreReason.WRONG_ROLE);
            return;
        }
        if (prepare.view() != core.view() || !core.isViewActive()) {
            core.ignore(prepare, IgnoreReason.OLD_VIEW);
            return;
        }
        if (!core.isKept(prepare.sequence())) {
            core.ignore(prepare, IgnoreReason.OUT_OF_WINDOW);
            return;
        }
        Slot slot = core.slot(prepare.sequence());
        Prepare first = slot.prepares[prepare.sender()];
        if (first != null) {
            core.ignore(prepare, sameOrConflicting(first.digest(), prepare.digest()));
            return;
        }
        slot.prepares[prepare.sender()] = prepare;
        checkPrepared(slot);
    }

    /** Commits the slot if it is prepared now, and those after it which waited for it. */
    private void checkPrepared(Slot slot) {
        for (Slot next = slot; next != null && checkPreparedAlone(next); ) {
            next = core.slots.get(next.sequence + 1);
        }
    }

    /**
     * Commits once the PRE-PREPARE and Q - 1 PREPAREs of other replicas than the primary agree, its own vote among
     * them, and the predecessor is prepared or delivered. Returns whether that is so now and was not before.
     */
    private boolean checkPreparedAlone(Slot slot) {
        if (!core.mayVote()
                || !slot.hasAccepted(core.view())
                || !slot.wanted.isEmpty()
                || slot.isPreparedIn(core.view())
                || !core.isPrimary() && slot.prepares[core.self] == null
                || !core.chain.isContinuedBy(slot)
                || !core.chain.isPredecessorPrepared(slot)) {
            return false;
        }
        List<ReplicaSignature> prepares = slot.matchingPrepares();
        if (prepares.size() < core.quorum.size() - 1) {
            return false;
        }
        slot.prepared = new PreparedCertificate(slot.accepted, prepares.subList(0, core.quorum.size() - 1));
        core.persist(new ReplicaRecord.Prepared(
                core.view(), slot.sequence, slot.accepted.digest(), slot.prepared.prepares()));
        commit(slot);
        return true;
    }

    /** Sends COMMIT for the proposal that is prepared in the active view. */
    void commit(Slot slot) {
        Commit commit = new Commit(core.view(), slot.sequence, slot.prepared.digest(), core.self);
        slot.commits[core.self] = commit;
        core.broadcast(commit);
        checkCommitted(slot, commit);
    }

    /** Counts a COMMIT of any view: a replica that lags, or that left the view alone, still learns the decision. */
    void onCommit(Commit commit) {
        if (!core.isKept(commit.sequence())) {
            core.ignore(commit, IgnoreReason.OUT_OF_WINDOW);
            return;
        }
        Slot slot = core.slot(commit.sequence());
        Commit[] counted = commit.isDecision() ? slot.decisions : slot.commits;
        Commit first = counted[commit.sender()];
        if (first != null && first.view() >= commit.view()) {
            core.ignore(
                    commit,
                    first.view() > commit.view()
                            ? IgnoreReason.OLD_VIEW
                            : sameOrConflicting(first.digest(), commit.digest()));
            return;
        }
        counted[commit.sender()] = commit;
        checkCommitted(slot, commit);
    }

    private void checkCommitted(Slot slot, Commit commit) {
        boolean isCommitted = commit.isDecision()
                ? slot.decisionCount(commit.digest()) >= core.quorum.oneCorrect()
                : slot.commitCount(commit.view(), commit.digest()) >= core.quorum.size();
        if (!isCommitted) {
            return;
        }
        Digest known = slot.committed != null ? slot.committed : slot.delivered;
        if (known != null && !known.equals(commit.digest())) {
            throw core.violation("sequence " + slot.sequence + " committed as " + known + " and as " + commit.digest());
        }
        slot.committed = commit.digest();
    }

    // Delivery.

    /** Delivers what is committed, in order, without gaps, each with all its payloads. */
    boolean deliver() {
        boolean hasDelivered = false;
        while (!core.isTransferring() && !core.standing.isHeld() && core.lastDelivered() < core.highWatermark()) {
            Slot slot = core.slots.get(core.lastDelivered() + 1);
            if (slot == null || slot.committed == null) {
                break;
            }
            PrePrepare prePrepare = slot.prePrepareOf(slot.committed);
            if (prePrepare == null || !isHeld(slot, prePrepare)) {
                break;
            }
            deliver(slot, prePrepare.proposal());
            prepareNext();
            hasDelivered = true;
        }
        return hasDelivered;
    }

    private boolean isHeld(Slot slot, PrePrepare prePrepare) {
        return prePrepare == slot.accepted
                ? slot.wanted.isEmpty()
                : batches.missingOfNext(prePrepare.proposal()).isEmpty();
    }

    /** What was delivered without a vote or a certificate of this view may have held the next one up. */
    private void prepareNext() {
        Slot next = core.slots.get(core.lastDelivered() + 1);
        if (next != null) {
            prepare(next);
        }
    }

    private void deliver(Slot slot, Proposal proposal) {
        if (!proposal.previous().equals(core.chain.delivered(core.lastDelivered()))) {
            throw core.violation("sequence " + slot.sequence + " committed after " + proposal.previous()
                    + ", but the block before is " + core.chain.delivered(core.lastDelivered()));
        }
        slot.delivered = slot.committed;
        core.pace.onDelivered(slot.periodOfAcceptance());
        core.chain.add(slot.sequence, slot.delivered);
        core.standing.deliver(slot.sequence, proposal.blockTimeNs());
        core.emit(new Output.Deliver(proposal, batches.rangesOfNext(proposal), core.config.hasFairOrder()));
        batches.release(slot);
        batches.onDelivered(proposal.ends());
        batches.dropUnnamed();
        if (proposal.ends().stream().anyMatch(end -> SessionKey.isAdministration(end.sessionKey()))) {
            core.standing.hold();
        }
        releaseHeld(slot.sequence + 1);
    }

    // Views.

    /** Accepts what the NEW-VIEW fixed, after the slots have forgotten the view before. */
    void enterView(List<PrePrepare> prePrepares) {
        for (PrePrepare prePrepare : prePrepares) {
            if (!core.isInWindow(prePrepare.sequence())) {
                continue;
            }
            Slot slot = core.slot(prePrepare.sequence());
            if (slot.delivered != null && !slot.delivered.equals(prePrepare.digest())) {
                // A faulty primary made two NEW-VIEWs of this view, and the others committed in that of the other one.
                core.ignore(prePrepare, IgnoreReason.CONFLICTING);
            }
            slot.acceptRecorded(prePrepare);
        }
    }

    /**
     * Accepts what the NEW-VIEW fixed above the window of that time: the replica was transferring. No replica sends it
     * again to the primary that made it.
     */
    void acceptFixed() {
        if (!core.isViewActive() || core.isTransferring() || core.lastDelivered() >= core.standing.newViewLast()) {
            return;
        }
        for (PrePrepare prePrepare : core.standing.newView().prePrepares()) {
            long sequence = prePrepare.sequence();
            if (sequence > core.lastDelivered() && core.isInWindow(sequence) && core.slot(sequence).accepted == null) {
                Slot slot = core.slot(sequence);
                slot.acceptRecorded(prePrepare);
                batches.accept(slot);
                prepare(slot);
            }
        }
    }

    /** Votes for what is accepted and lacks no batch; the batches have entered the view before. */
    void resumeVotes() {
        lastProposed = Math.max(core.standing.newViewLast(), Math.max(core.lastDelivered(), core.lowWatermark()));
        for (Map.Entry<Long, Slot> entry : core.slots.entrySet()) {
            Slot slot = entry.getValue();
            if (!slot.hasAccepted(core.view())) {
                continue;
            }
            lastProposed = Math.max(lastProposed, slot.sequence);
            prepare(slot);
            if (core.mayVote() && slot.isPreparedIn(core.view()) && slot.commits[core.self] == null) {
                commit(slot);
            }
        }
    }
}
