package io.sealbook.pbft;

import io.sealbook.pbft.message.Suspicion;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Which views replicas want to end. A suspicion does not bind its sender: it goes on voting. A view is over when f+1
 * replicas suspect it, because one of them is correct. A replica that leaves it shows their signatures, so that all
 * correct replicas leave when one does (pitfall 10).
 *
 * <p>A suspicion counts for a while after it came, and its sender repeats it as long as its reason lasts. The absence
 * of a primary is a reason until it is heard again: f+1 replicas that each lost it for a moment, at different times, do
 * not end its view. All other reasons last as long as the view.
 */
final class Suspicions {
    private static final long NONE = -1;
    /** STATUS periods for which a suspicion counts after it came. */
    static final int VALID_PERIODS = 20;
    /** STATUS periods between two repetitions while blocks are delivered: a quarter, so that some may be lost. */
    private static final int REPEAT_PERIODS = VALID_PERIODS / 4;

    private final Core core;
    /** That of the highest view of each replica, the own included. */
    private final Suspicion[] latest;
    /** STATUS period in which each came last. */
    private final long[] receivedTick;
    /** View that this replica itself suspects, and up to it; {@link #NONE} if it suspects none. */
    private long suspected = NONE;
    /** The only reason for that is that the primary is away. */
    private boolean isOfAbsence;

    Suspicions(Core core) {
        this.core = core;
        latest = new Suspicion[core.config.replicaCount()];
        receivedTick = new long[latest.length];
    }

    /** Takes up what the replica showed when it left its view, before a crash. */
    void restore(List<Suspicion> shown) {
        shown.forEach(suspicion -> latest[suspicion.sender()] = suspicion);
    }

    /**
     * Suspects the view that the replica is in or is changing to, for as long as it lasts, and says so, again if it has
     * said so before.
     */
    void suspect() {
        isOfAbsence = false;
        say();
    }

    /** Suspects the view until its primary is present again. */
    void suspectWhileAbsent() {
        isOfAbsence = true;
        say();
    }

    /** The primary is connected and not silent. */
    void onPrimaryPresent() {
        if (isOfAbsence) {
            suspected = NONE;
            isOfAbsence = false;
        }
    }

    private void say() {
        if (!isSuspected()) {
            byte[] signedBytes = Suspicion.signedBytes(core.config.epoch(), core.view(), core.self);
            latest[core.self] = new Suspicion(core.view(), core.self, core.sign(signedBytes));
        }
        suspected = core.view();
        receivedTick[core.self] = core.tick;
        core.broadcast(latest[core.self]);
    }

    /**
     * Sends the own suspicion again if it concerns the present view.
     *
     * @param isUrgent if it was not sent in the last STATUS period, or else less often
     */
    void repeat(boolean isUrgent) {
        if (isSuspected() && core.tick - receivedTick[core.self] > (isUrgent ? 1 : REPEAT_PERIODS)) {
            say();
        }
    }

    /** Returns whether this replica itself suspects the view that it is in or is changing to. */
    boolean isSuspected() {
        return suspected >= core.view();
    }

    /**
     * Counts a suspicion that came, the own one included: others may leave the view for it when it is withdrawn.
     *
     * @return whether it was news
     */
    boolean add(Suspicion suspicion) {
        if (suspicion.view() < core.view()) {
            core.ignore(suspicion, IgnoreReason.OLD_VIEW);
            return false;
        }
        int sender = suspicion.sender();
        Suspicion before = latest[sender];
        if (before != null && counts(sender) && before.view() >= suspicion.view()) {
            core.ignore(suspicion, IgnoreReason.DUPLICATE);
            if (before.view() == suspicion.view()) {
                receivedTick[sender] = core.tick;
            }
            return false;
        }
        latest[sender] = suspicion;
        receivedTick[sender] = core.tick;
        return true;
    }

    /** Returns the first view that f+1 replicas do not want to end, 0 if they want none to. */
    long firstTolerated() {
        long[] views = new long[latest.length];
        for (int i = 0; i < latest.length; i++) {
            views[i] = latest[i] != null && counts(i) ? latest[i].view() : NONE;
        }
        Arrays.sort(views);
        return views[views.length - core.quorum.oneCorrect()] + 1;
    }

    private boolean counts(int sender) {
        return core.tick - receivedTick[sender] <= VALID_PERIODS;
    }

    /**
     * Returns f+1 suspicions that end every view below {@code view}, ascending by sender; none if they are not held.
     */
    List<Suspicion> proof(long view) {
        List<Suspicion> proof = Arrays.stream(latest)
                .filter(Objects::nonNull)
                .filter(suspicion -> suspicion.view() >= view - 1)
                .limit(core.quorum.oneCorrect())
                .toList();
        return proof.size() < core.quorum.oneCorrect() ? List.of() : proof;
    }
}
