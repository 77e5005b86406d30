package io.sealbook.pbft;

/** The replica's timers; the shell keeps them and passes an input when one fires. A timer fires once per start. */
public enum Timer {
    /** Bounds how long a ready batch waits for company before the primary proposes. */
    BATCH,
    /** Bounds how long nothing may be delivered while a batch waits before the primary is suspected. */
    REQUEST,
    /** Bounds how long a new view may take to begin once a quorum has left the view before. */
    VIEW_CHANGE,
    /** Bounds how long the connection to the primary may be away before the primary is suspected. */
    LINK,
    /** Paces STATUS messages and every retry. */
    STATUS
}
