package io.sealbook.pbft;

import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.StableCertificate;

/**
 * What a replica is and has reached: the only writer of its view, whether that is active, its isolation, its state
 * transfer, its stable checkpoint and the last delivered block. Each method is one transition. It checks that the
 * present state allows it, resets all that must be reset, and persists what must be remembered; a transition that is
 * not allowed is an {@link InvariantViolation}.
 *
 * <pre>
 *   transition      legal in                            leads to                  resets
 *   leaveView       any state that is not isolated      ... IN_VIEW_CHANGE        proposing, four timers
 *   enterView       any state                           view active               slots, judgements, three timers
 *   isolate         any state that is not isolated      ISOLATED ...              proposing, three timers
 *   endIsolation    any isolated state                  not isolated
 *   beginTransfer   any state that does not transfer    TRANSFERRING ...
 *   endTransfer     any state that transfers            not transferring, if the stable checkpoint is reached
 *   deliver         any state that does not transfer    the same                  doubled timeouts in an active view
 *                   and is not held
 *   hold            the same                            delivers nothing
 *   release         held                                delivers
 *   endEpoch        any state                           delivers nothing
 *   stabilise       any state                           the same
 * </pre>
 */
final class Standing {
    private final Core core;
    private ReplicaState state = ReplicaState.NORMAL;
    private boolean isRestored;
    private long view;
    private NewView newView;
    private long newViewLast;
    private StableCertificate stable;
    private long lastDelivered;
    private long deliveredBlockTimeNs;
    /** The last delivered block while its administrative transactions are executed, else 0. */
    private long heldAt;
    /** Last block of the epoch, 0 while it is not known. */
    private long epochEnd;

    private ReplicaRecord.Isolated isolation;
    private boolean hasRejoined;
    private int viewChangeAttempts;

    Standing(Core core) {
        this.core = core;
        stable = core.config.origin();
        lastDelivered = stable.sequence();
    }

    /**
     * Takes up the state before a crash; legal once, before anything else.
     *
     * @param active the NEW-VIEW of the view if it began, null in view 0 or between views
     * @param isViewActive whether the view began and was not left
     * @param isolated null if the replica was not isolated
     */
    void restore(
            long restoredView,
            boolean isViewActive,
            NewView active,
            StableCertificate certificate,
            long delivered,
            ReplicaRecord.Isolated isolated) {
        require(!isRestored && state == ReplicaState.NORMAL && view == 0 && heldAt == 0, "restores twice");
        isRestored = true;
        view = restoredView;
        newView = active;
        newViewLast = active == null ? 0 : lastFixedBy(active);
        stable = certificate;
        lastDelivered = delivered;
        isolation = isolated;
        state = ReplicaState.of(isViewActive, delivered < certificate.sequence(), isolated != null);
    }

    private static long lastFixedBy(NewView newView) {
        return NewViewObligation.of(newView.viewChanges()).stable().sequence()
                + newView.prePrepares().size();
    }

    /** Gives up every view below {@code next}. Legal in any state that is not isolated, for a higher view. */
    void leaveView(long next) {
        require(!state.isIsolated() && next > view, "leaves for view " + next);
        view = next;
        state = state.withView(false);
        viewChangeAttempts++;
        stopTakingPart();
        core.primaryLink.watch();
        core.persist(new ReplicaRecord.ViewLeft(next, core.suspicions.proof(next)));
    }

    /** Enters the view of a NEW-VIEW. Legal in any state, for a higher view or for the one that has not begun. */
    void enterView(NewView next) {
        require(next.view() > view || next.view() == view && !state.isViewActive(), "enters view " + next.view());
        core.persist(new ReplicaRecord.ViewEntered(next));
        view = next.view();
        newView = next;
        newViewLast = lastFixedBy(next);
        state = state.withView(true);
        core.timers.stop(Timer.VIEW_CHANGE);
        core.timers.stop(Timer.REQUEST);
        core.supervision.enterView();
        core.pipeline.enterView();
        core.primaryLink.watch();
        core.slots.values().forEach(Slot::enterView);
    }

    /**
     * Stops voting. Legal in any state that is not isolated.
     *
     * @param checkpoint at which the outcomes differ
     */
    void isolate(long checkpoint, Outcome reached, Outcome agreed) {
        require(!state.isIsolated(), "isolates itself at checkpoint " + checkpoint);
        isolation = new ReplicaRecord.Isolated(checkpoint, reached, agreed);
        core.persist(isolation);
        state = state.withIsolation(true);
        stopTakingPart();
        core.emit(new Output.Isolated(checkpoint, reached, agreed));
    }

    /** Votes again. Legal in any isolated state, for a certificate at or above the isolation. */
    void endIsolation(StableCertificate certificate) {
        require(
                state.isIsolated() && certificate.sequence() >= isolation.checkpoint(),
                "ends its isolation at checkpoint " + certificate.sequence());
        core.persist(new ReplicaRecord.IsolationEnded(certificate.sequence()));
        isolation = null;
        state = state.withIsolation(false);
        hasRejoined = true;
    }

    /** The one place for what ends with a view and with an isolation alike. */
    private void stopTakingPart() {
        core.batches.leaveView();
        core.timers.stop(Timer.BATCH);
        core.timers.stop(Timer.REQUEST);
        core.timers.stop(Timer.VIEW_CHANGE);
    }

    /** Delivers nothing until blocks come from peers' archives. Legal unless transferring, for a certificate above. */
    void beginTransfer(StableCertificate target) {
        require(
                !state.isTransferring() && target.sequence() > lastDelivered,
                "begins a transfer to checkpoint " + target.sequence());
        state = state.withTransfer(true);
    }

    /**
     * The archive ends at this block now. Legal while transferring; the transfer goes on below the stable checkpoint.
     */
    void endTransfer(long sequence) {
        require(state.isTransferring(), "ends a transfer at block " + sequence);
        lastDelivered = Math.max(lastDelivered, sequence);
        state = state.withTransfer(lastDelivered < stable.sequence());
        deliveredBlockTimeNs = 0;
    }

    /** Delivers the next block. Legal unless transferring. */
    void deliver(long sequence, long blockTimeNs) {
        require(!state.isTransferring() && !isHeld() && sequence == lastDelivered + 1, "delivers block " + sequence);
        lastDelivered = sequence;
        deliveredBlockTimeNs = Math.max(deliveredBlockTimeNs, blockTimeNs);
        if (state.isViewActive()) {
            viewChangeAttempts = 0;
        }
    }

    /**
     * Delivers nothing until the administrative transactions of the last delivered block are executed: they may end the
     * epoch.
     */
    void hold() {
        require(heldAt == 0, "holds at block " + lastDelivered);
        heldAt = lastDelivered;
    }

    /** Delivers again: the block did not end the epoch. Legal while held at the block. */
    void release(long sequence) {
        require(heldAt == sequence && epochEnd == 0, "releases block " + sequence);
        heldAt = 0;
    }

    /** Delivers nothing any more: the epoch ends with this block, which is the last in the archive. */
    void endEpoch(long sequence) {
        require(epochEnd == 0 && sequence > core.config.origin().sequence(), "ends its epoch with block " + sequence);
        epochEnd = sequence;
    }

    /** Moves the low watermark up. Legal in any state, up to the last delivered block; beyond it while transferring. */
    void stabilise(StableCertificate certificate) {
        require(
                certificate.sequence() > stable.sequence()
                        && (certificate.sequence() <= lastDelivered || state.isTransferring()),
                "makes checkpoint " + certificate.sequence() + " stable");
        stable = certificate;
        core.witness.onStable();
        core.persist(new ReplicaRecord.Stable(certificate));
        core.emit(new Output.StableCheckpoint(certificate));
    }

    private void require(boolean isLegal, String transition) {
        if (!isLegal) {
            throw core.violation("in state " + state + " " + transition);
        }
    }

    // What it is.

    ReplicaState state() {
        return state;
    }

    long view() {
        return view;
    }

    /** Returns the NEW-VIEW of the view entered last, null in view 0. */
    NewView newView() {
        return newView;
    }

    /** Returns the last sequence number that the NEW-VIEW of the view entered last fixed. */
    long newViewLast() {
        return newViewLast;
    }

    StableCertificate stable() {
        return stable;
    }

    long lastDelivered() {
        return lastDelivered;
    }

    /** Returns whether nothing is delivered because the last delivered block may end the epoch, or does. */
    boolean isHeld() {
        return heldAt != 0 || epochEnd != 0;
    }

    /** Returns the block whose administrative transactions are being executed, 0 if there is none. */
    long heldAt() {
        return heldAt;
    }

    /** Returns the last block of the epoch, 0 while it is not known. */
    long epochEnd() {
        return epochEnd;
    }

    /** Returns the time of the last delivered block, 0 if unknown. */
    long deliveredBlockTimeNs() {
        return deliveredBlockTimeNs;
    }

    /** Returns the facts of the isolation, null if the replica is not isolated. */
    ReplicaRecord.Isolated isolation() {
        return isolation;
    }

    /** Returns whether an isolation has ended since the last call. */
    boolean takeRejoined() {
        boolean taken = hasRejoined;
        hasRejoined = false;
        return taken;
    }

    /** Returns the number of view changes since the last delivery in an active view: doubles the timeouts. */
    int viewChangeAttempts() {
        return viewChangeAttempts;
    }
}
