package io.sealbook.pbft;

/**
 * The state of a replica, which {@link Standing} alone changes: one constant for each combination of a view that is
 * active or not, a state transfer that runs or not, and an isolation that lasts or not.
 */
public enum ReplicaState {
    /** In an active view: votes and delivers. */
    NORMAL(true, false, false),
    /** Gave up its view and waits for the next to begin: delivers what others commit, votes for nothing. */
    VIEW_CHANGE(false, false, false),
    /** Waits for blocks from peers' archives: votes in its active view, delivers nothing. */
    TRANSFERRING(true, true, false),
    /** Waits for blocks and for the next view: votes for nothing, delivers nothing. */
    TRANSFERRING_IN_VIEW_CHANGE(false, true, false),
    /** Its outcome differs from the others': delivers, votes for nothing. */
    ISOLATED(true, false, true),
    /** Isolated, and its view has not begun: delivers, votes for nothing. */
    ISOLATED_IN_VIEW_CHANGE(false, false, true),
    /** Isolated, and waits for blocks: votes for nothing, delivers nothing. */
    ISOLATED_TRANSFERRING(true, true, true),
    /** Isolated, waits for blocks, and its view has not begun: votes for nothing, delivers nothing. */
    ISOLATED_TRANSFERRING_IN_VIEW_CHANGE(false, true, true);

    private final boolean isViewActive;
    private final boolean isTransferring;
    private final boolean isIsolated;

    ReplicaState(boolean isViewActive, boolean isTransferring, boolean isIsolated) {
        this.isViewActive = isViewActive;
        this.isTransferring = isTransferring;
        this.isIsolated = isIsolated;
    }

    static ReplicaState of(boolean isViewActive, boolean isTransferring, boolean isIsolated) {
        for (ReplicaState state : values()) {
            if (state.isViewActive == isViewActive
                    && state.isTransferring == isTransferring
                    && state.isIsolated == isIsolated) {
                return state;
            }
        }
        throw new IllegalStateException("no state " + isViewActive + " " + isTransferring + " " + isIsolated);
    }

    ReplicaState withView(boolean active) {
        return of(active, isTransferring, isIsolated);
    }

    ReplicaState withTransfer(boolean transferring) {
        return of(isViewActive, transferring, isIsolated);
    }

    ReplicaState withIsolation(boolean isolated) {
        return of(isViewActive, isTransferring, isolated);
    }

    /** Returns whether the replica's view has begun and was not left. */
    public boolean isViewActive() {
        return isViewActive;
    }

    public boolean isTransferring() {
        return isTransferring;
    }

    public boolean isIsolated() {
        return isIsolated;
    }

    /** Returns whether the replica may send PRE-PREPARE, PREPARE and COMMIT. */
    public boolean mayVote() {
        return isViewActive && !isIsolated;
    }
}
