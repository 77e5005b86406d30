package io.sealbook.simulator;

/** How a Byzantine replica misbehaves, for the whole run. */
enum Fault {
    /** Follows the protocol. */
    NONE,
    /** Follows the protocol but proposes nothing and begins no view. */
    SILENT_PRIMARY,
    /** Shows one proposal after the other, each just before the others' patience ends. */
    SLOW_PRIMARY,
    /** Shows one proposal per interval, with all that was ready when it could have shown it. */
    PACED_PRIMARY,
    /** Proposes at once, and takes notice of the acknowledgement of one batch for each block. */
    TRICKLING,
    /** Takes one batch of the first broker in a long while, and all of the other brokers. */
    STARVING,
    /** Hides the second broker's batches for a while, so that those of the first that follow them come before. */
    FRONT_RUNNING,
    /** Says nothing at all from some instant on: no vote, batch, block, request or heartbeat. */
    MUTE,
    /** Tells odd and even replicas different things: proposals, votes, new views. */
    EQUIVOCATE,
    /** Changes views, sequences, digests and certificates in some of its messages, and signs the result. */
    LIE,
    /**
     * Two replicas with one identity and separate memories, each in any part of a divided network and talking to all
     * there (Twins, OPODIS 2021).
     */
    TWIN
}
