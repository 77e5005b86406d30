package io.sealbook.pbft;

import io.sealbook.pbft.message.Suspicion;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Which views replicas want to end. A suspicion does not bind its sender: it goes on voting. A view is over when f+1
 * replicas suspect it, because one of them is correct. A replica that leaves it shows their signatures, so that all
 * correct replicas leave when one does (pitfall 10).
 */
final class Suspicions {
    private static final long NONE = -1;

    private final Core core;
    /** That of the highest view of each replica, the own included. */
    private final Suspicion[] latest;
    /** STATUS period in which the own one was sent last. */
    private long saidTick;

    Suspicions(Core core) {
        this.core = core;
        latest = new Suspicion[core.config.replicaCount()];
    }

    /** Takes up what the replica showed when it left its view, before a crash. */
    void restore(List<Suspicion> shown) {
        shown.forEach(suspicion -> latest[suspicion.sender()] = suspicion);
    }

    /** Suspects the view that the replica is in or is changing to, and says so, again if it has said so before. */
    void suspect() {
        if (!isSuspected()) {
            byte[] signedBytes = Suspicion.signedBytes(core.config.epoch(), core.view(), core.self);
            latest[core.self] = new Suspicion(core.view(), core.self, core.sign(signedBytes));
        }
        saidTick = core.tick;
        core.broadcast(latest[core.self]);
    }

    /** Sends the own suspicion again, if it concerns the present view and was not sent in the last STATUS period. */
    void repeat() {
        if (isSuspected() && core.tick - saidTick > 1) {
            suspect();
        }
    }

    /** Returns whether this replica itself suspects the view that it is in or is changing to. */
    boolean isSuspected() {
        return latest[core.self] != null && latest[core.self].view() >= core.view();
    }

    /** Counts another replica's suspicion; returns whether it was news. */
    boolean add(Suspicion suspicion) {
        if (suspicion.view() < core.view()) {
            core.ignore(suspicion, IgnoreReason.OLD_VIEW);
            return false;
        }
        Suspicion before = latest[suspicion.sender()];
        if (before != null && before.view() >= suspicion.view()) {
            core.ignore(suspicion, IgnoreReason.DUPLICATE);
            return false;
        }
        latest[suspicion.sender()] = suspicion;
        return true;
    }

    /** Returns the first view that f+1 replicas do not want to end, 0 if they want none to. */
    long firstTolerated() {
        long[] views = new long[latest.length];
        for (int i = 0; i < latest.length; i++) {
            views[i] = latest[i] == null ? NONE : latest[i].view();
        }
        Arrays.sort(views);
        return views[views.length - core.quorum.oneCorrect()] + 1;
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
