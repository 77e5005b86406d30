package io.sealbook.consensus.config;

/** Where the engine of a node runs. */
public enum EnginePlace {
    /** In the node's directory: blocks and results pass through queues. */
    LOCAL,
    /** On another machine, beside a follower, or in any language: results come back over the network. */
    REMOTE,
    /** Nowhere, or it returns no results. */
    NONE
}
