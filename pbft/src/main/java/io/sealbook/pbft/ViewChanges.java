package io.sealbook.pbft;

import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;

/**
 * View changes (TOCS 2002, section 4.4) with signed certificates (OSDI 1999): leave a view, show what was prepared,
 * begin the next where a quorum's certificates oblige to.
 */
final class ViewChanges {
    private final Core core;
    private final Batches batches;
    private final Ordering ordering;
    private final Checkpoints checkpoints;
    private final Timers timers;
    private final Certificates certificates;
    /** The latest of each replica, the own included. */
    private final ViewChange[] latest;
    /** Votes for views that have not begun here, by sender; bounded, the oldest is forgotten. */
    private final List<Queue<Message>> future = new ArrayList<>();

    ViewChanges(
            Core core,
            Batches batches,
            Ordering ordering,
            Checkpoints checkpoints,
            Timers timers,
            Certificates certificates) {
        this.core = core;
        this.batches = batches;
        this.ordering = ordering;
        this.checkpoints = checkpoints;
        this.timers = timers;
        this.certificates = certificates;
        latest = new ViewChange[core.config.replicaCount()];
        for (int i = 0; i < latest.length; i++) {
            future.add(new ArrayDeque<>());
        }
    }

    /** Gives up every view below {@code newView}. */
    private void start(long newView) {
        core.standing.leaveView(newView);
        announce();
        review();
    }

    /**
     * Sends VIEW-CHANGE for the view that the replica is changing to, and why the view before it ended; what it shows
     * never shrinks between two of one view.
     */
    void announce() {
        core.suspicions.proof(core.view()).forEach(core::broadcast);
        List<PreparedCertificate> prepared = new ArrayList<>();
        for (Slot slot : core.slots.values()) {
            if (slot.prepared != null) {
                prepared.add(slot.prepared);
            }
        }
        byte[] signedBytes =
                ViewChange.signedBytes(core.config.epoch(), core.view(), core.stable(), prepared, core.self);
        ViewChange own = new ViewChange(core.view(), core.stable(), prepared, core.self, core.sign(signedBytes));
        latest[core.self] = own;
        core.broadcast(own);
    }

    /** The view does not do what it is for: not in time, or not for everybody, or it began wrongly. */
    void suspect() {
        if (!core.isIsolated()) {
            core.suspicions.suspect();
            review();
        }
    }

    /** Suspects the view unless it does so already. */
    void suspectOnce() {
        if (!core.suspicions.isSuspected()) {
            suspect();
        }
    }

    /** Suspects the view, unless it does so already, for as long as its primary is away. */
    void suspectAbsent() {
        if (!core.isIsolated() && !core.suspicions.isSuspected()) {
            core.suspicions.suspectWhileAbsent();
            review();
        }
    }

    /**
     * A STATUS period is over: the suspicion may be lost, and counts for a while only.
     *
     * @param isStalled whether nothing was delivered in the period
     */
    void repeatSuspicion(boolean isStalled) {
        if (!core.isIsolated()) {
            core.suspicions.repeat(
                    isStalled && (!core.isViewActive() || batches.heldCount() > 0 || core.isHandingOver));
        }
    }

    void onSuspicion(Suspicion suspicion) {
        if (!core.suspicions.add(suspicion)) {
            return;
        }
        if (suspicion.view() == core.view() && suspicion.sender() == core.primary()) {
            // Its primary gives the view up: there is nothing to wait for.
            suspectOnce();
        }
        review();
    }

    void onViewChange(ViewChange viewChange) {
        if (viewChange.newView() < core.view() || viewChange.newView() == core.view() && core.isViewActive()) {
            core.ignore(viewChange, IgnoreReason.OLD_VIEW);
            return;
        }
        ViewChange before = latest[viewChange.sender()];
        if (before != null && before.newView() >= viewChange.newView()) {
            core.ignore(viewChange, IgnoreReason.DUPLICATE);
            return;
        }
        if (!certificates.isValid(viewChange)) {
            core.ignore(viewChange, IgnoreReason.MALFORMED);
            return;
        }
        latest[viewChange.sender()] = viewChange;
        review();
    }

    /** Joins others, starts the timer, or begins the view, as the VIEW-CHANGEs held allow. */
    void review() {
        if (core.isIsolated() || own() == null && !core.isViewActive()) {
            return;
        }
        long joined = Math.max(core.suspicions.firstTolerated(), viewToJoin());
        if (joined > core.view()) {
            start(joined);
            return;
        }
        if (core.isViewActive()) {
            return;
        }
        // Others that are further count too: they have left this view as well, and may not come back to it.
        if (countFrom(core.view()) >= core.quorum.size()) {
            timers.startIfStopped(Timer.VIEW_CHANGE, core.viewChangeTimeoutNs());
        }
        if (core.isPrimary()) {
            begin();
        }
    }

    /**
     * Returns the highest view that f+1 others have reached. TOCS 2002, section 4.5.2, joins the smallest view of f+1
     * and repeats; this is the result. One replica alone moves no other (pitfall 5).
     */
    private long viewToJoin() {
        long[] views = new long[latest.length];
        for (int i = 0; i < latest.length; i++) {
            views[i] = i == core.self || latest[i] == null ? 0 : latest[i].newView();
        }
        Arrays.sort(views);
        return views[views.length - core.quorum.oneCorrect()];
    }

    private int countFrom(long view) {
        int count = 0;
        for (ViewChange viewChange : latest) {
            if (viewChange != null && viewChange.newView() >= view) {
                count++;
            }
        }
        return count;
    }

    /** As primary: begins the view once a quorum has sent VIEW-CHANGEs for it. */
    private void begin() {
        List<ViewChange> viewChanges = new ArrayList<>();
        for (ViewChange viewChange : latest) {
            if (viewChange != null && viewChange.newView() == core.view()) {
                viewChanges.add(viewChange);
            }
        }
        if (viewChanges.size() < core.quorum.size() || latest[core.self].newView() != core.view()) {
            return;
        }
        viewChanges = viewChanges.subList(0, core.quorum.size());
        NewViewObligation obligation = NewViewObligation.of(viewChanges);
        List<PrePrepare> prePrepares = new ArrayList<>();
        for (Proposal proposal : obligation.proposals()) {
            prePrepares.add(ordering.sign(proposal));
        }
        byte[] signedBytes = NewView.signedBytes(core.config.epoch(), core.view(), viewChanges, prePrepares, core.self);
        NewView newView = new NewView(core.view(), viewChanges, prePrepares, core.self, core.sign(signedBytes));
        core.broadcast(newView);
        enter(newView, obligation.stable());
    }

    void onNewView(NewView newView) {
        if (newView.view() < core.view() || newView.view() == core.view() && core.isViewActive()) {
            core.ignore(newView, IgnoreReason.OLD_VIEW);
            return;
        }
        if (newView.sender() != core.primary(newView.view())) {
            core.ignore(newView, IgnoreReason.WRONG_ROLE);
            return;
        }
        if (!areQuorum(newView.viewChanges(), newView.view())) {
            reject(newView, IgnoreReason.MALFORMED);
            return;
        }
        NewViewObligation obligation = NewViewObligation.of(newView.viewChanges());
        if (!obligation.isMetBy(newView.prePrepares(), newView.view(), newView.sender())) {
            reject(newView, IgnoreReason.WRONG_NEW_VIEW);
            return;
        }
        enter(newView, obligation.stable());
    }

    /** The primary signed something wrong: a view that begins with it is not entered (pitfall 11). */
    private void reject(NewView newView, IgnoreReason reason) {
        core.ignore(newView, reason);
        if (newView.view() == core.view()) {
            suspect();
        }
    }

    private boolean areQuorum(List<ViewChange> viewChanges, long view) {
        int previous = -1;
        for (ViewChange viewChange : viewChanges) {
            if (viewChange.sender() <= previous
                    || viewChange.sender() >= core.config.replicaCount()
                    || viewChange.newView() != view
                    || !certificates.isValid(viewChange)) {
                return false;
            }
            previous = viewChange.sender();
        }
        return viewChanges.size() >= core.quorum.size();
    }

    private void enter(NewView newView, StableCertificate stable) {
        core.standing.enterView(newView);
        checkpoints.adopt(stable);
        ordering.enterView(newView.prePrepares());
        core.emit(new Output.ViewEntered(core.view(), core.primary()));
        resume();
        replayFuture();
    }

    /** Takes part after a start or an isolation: in the active view, or by a VIEW-CHANGE for the next. */
    void rejoin() {
        if (core.isViewActive()) {
            resume();
        } else if (!core.isIsolated()) {
            announce();
            review();
        }
    }

    /** Goes on in the active view: acknowledges, fetches and votes. */
    void resume() {
        batches.enterView();
        ordering.resumeVotes();
    }

    /** Keeps a vote for a view that has not begun here. */
    void keep(Message message) {
        Queue<Message> kept = future.get(message.sender());
        if (kept.size() == 2 * core.config.logWindow()) {
            core.ignore(kept.remove(), IgnoreReason.FUTURE_VIEW);
        }
        kept.add(message);
    }

    private void replayFuture() {
        for (Queue<Message> kept : future) {
            int count = kept.size();
            for (int i = 0; i < count; i++) {
                Message message = kept.remove();
                if (isOfLaterView(message)) {
                    kept.add(message);
                } else {
                    replay(message);
                }
            }
        }
    }

    private void replay(Message message) {
        switch (message) {
            case PrePrepare prePrepare -> ordering.onPrePrepare(prePrepare);
            case Prepare prepare -> ordering.onPrepare(prepare);
            default -> throw core.violation("kept for a later view: " + message);
        }
    }

    /** Returns whether the message is a vote of a view that has not begun here. */
    boolean isOfLaterView(Message message) {
        return switch (message) {
            case PrePrepare prePrepare -> isLater(prePrepare.view());
            case Prepare prepare -> isLater(prepare.view());
            default -> false;
        };
    }

    private boolean isLater(long view) {
        return view > core.view() || view == core.view() && !core.isViewActive();
    }

    /** Returns the replica's own VIEW-CHANGE for the view that it is changing to, or null. */
    ViewChange own() {
        ViewChange own = latest[core.self];
        return own != null && own.newView() == core.view() && !core.isViewActive() ? own : null;
    }

    int entryCount() {
        int count = 0;
        for (Queue<Message> kept : future) {
            count += kept.size();
        }
        return count;
    }
}
