package io.sealbook.chaos.fault;

/** The kinds of faults that a run may inject. */
public enum FaultKind {
    /** SIGKILL of a node, an engine or both, or of one broker. */
    KILL,
    /** SIGSTOP of a node or an engine, SIGCONT some seconds later. */
    PAUSE,
    /** SIGKILL of all processes at one instant, brokers included. */
    JOINT,
    /** The links of one member, or all of them, are slow: a delay, or a few bytes per second. */
    DELAY,
    /** Connections of one member, or all of them, end at random. */
    LOSS,
    /** A member is cut off, wholly or in one direction, or the cluster falls in two halves. */
    PARTITION,
    /** A member is cut off and joined again several times per second. */
    FLAP,
    /** The files of a node or an engine cannot grow any more. */
    DISK,
    /** A node comes back without the record of its votes, and must refuse to start. */
    WIPE,
    /** The disk of a node that is down changes a bit of an old block, which the documented command repairs. */
    FLIP,
    /** The memory of an engine is wrong: it starts with other orders than the other engines, and must be rebuilt. */
    ENGINE,
    /** A member lies to the others: its decisions are right, its words are not. */
    BYZANTINE
}
