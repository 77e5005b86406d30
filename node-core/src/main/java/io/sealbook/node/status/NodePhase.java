package io.sealbook.node.status;

/** What a node is doing, in the words of the gateway's NodeStatus. */
public enum NodePhase {
    /** Takes part in agreement. */
    NORMAL,
    /** Has left a view and has not entered the next one; batches are still taken. */
    VIEW_CHANGE,
    /** Fetches many blocks from peers; brokers are sent elsewhere. A short gap is closed without leaving NORMAL. */
    CATCHING_UP,
    /** Its archive or its engine differs from a quorum: it does not vote and must not be believed. */
    ISOLATED,
    /** Is stopping, or has stopped voting because its storage failed. */
    STOPPING;

    /** Returns whether batches of brokers are taken. */
    public boolean takesBatches() {
        return this == NORMAL || this == VIEW_CHANGE;
    }
}
