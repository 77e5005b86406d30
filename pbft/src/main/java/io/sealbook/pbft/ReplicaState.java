package io.sealbook.pbft;

/** What a replica is doing. */
public enum ReplicaState {
    /** In an active view: votes and delivers. */
    NORMAL,
    /** Gave up its view and waits for the next to begin: delivers what others commit, votes for nothing. */
    VIEW_CHANGE,
    /** Waits for blocks from peers' archives: votes in its active view, delivers nothing. */
    TRANSFERRING,
    /** Its engine's result differs from the others': delivers, votes for nothing. */
    ISOLATED
}
