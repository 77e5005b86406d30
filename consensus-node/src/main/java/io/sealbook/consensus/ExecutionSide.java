package io.sealbook.consensus;

import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.gateway.LimitedService;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.BlockSink;
import java.util.List;

/** The engine's side of a node: where committed blocks go, and the way of their results to agreement. */
interface ExecutionSide {
    /** Returns where committed blocks go. */
    BlockSink sink();

    /**
     * Leads results to agreement. Called once, before any thread runs.
     *
     * @param core takes results
     * @param inbox takes inputs of agreement
     * @param threads gets the threads of this side
     * @param committer the cycle that hands blocks over
     * @return the committer's cycle, with what this side does on its thread
     */
    DutyCycle connect(NodeCore core, AgentInbox inbox, NodeThreads threads, DutyCycle committer);

    /** Returns whether blocks are executed on the thread that commits. */
    default boolean isInside() {
        return false;
    }

    /** Returns whether the node has to be opened again so that an engine inside it is rebuilt. Any thread. */
    default boolean isRebuildDue() {
        return false;
    }

    /** Starts what serves readers of results; called once, when the node starts. */
    default void start() {}

    /** Returns what the gateway serves for this side; called after {@link #connect}. */
    default List<LimitedService> services() {
        return List.of();
    }

    /** Returns the last block whose result agreement needs no more: what a restored replica has certified. */
    static long lastKnown(NodeCore core) {
        return Math.max(0, core.replica().lowWatermark() - 1);
    }
}
