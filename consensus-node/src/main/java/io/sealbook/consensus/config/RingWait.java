package io.sealbook.consensus.config;

/** How the threads of the ingress ring wait for work. */
public enum RingWait {
    /** Sleep until signalled; right whenever there are fewer cores than threads. */
    BLOCKING,
    /** Spin, then yield. */
    YIELDING,
    /** Spin for ever; needs a core for each thread. */
    BUSY_SPIN
}
