package io.sealbook.consensus.config;

/** Where peer messages are authenticated, signature-checked and stored before the agent counts them. */
public enum OffloadPlacement {
    /** On the network event loops, as a smart network card would do it. */
    EVENT_LOOP,
    /** On the agent's own thread. */
    AGENT
}
