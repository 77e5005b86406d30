package io.sealbook.consensus.config;

import io.sealbook.pbft.ReplicaConfig.ProposesAfter;

/** Where and when committed blocks are executed. */
public enum ExecutionMode {
    /** In the engine's process; agreement goes on meanwhile. What a node in production runs. */
    SEPARATED,
    /** In the node, by the thread that commits; agreement goes on unless it shares that thread. */
    IN_PROCESS,
    /**
     * In the node, by the thread that commits; the result of each block is agreed, and the next block waits for it. The
     * baseline of the source paper (Journal of Software 30(6), 2019).
     */
    INLINE;

    /** Returns whether the engine runs inside the node. */
    public boolean isInProcess() {
        return this != SEPARATED;
    }

    /** Returns what a block must have reached before the next one may be proposed. */
    public ProposesAfter proposesAfter() {
        return this == INLINE ? ProposesAfter.CERTIFIED_RESULT : ProposesAfter.DELIVERY;
    }
}
