package io.sealbook.consensus;

import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.BlockSink;
import java.util.function.LongSupplier;

/**
 * No results come back: this node orders and archives, and adopts the checkpoints that a quorum of others certifies. It
 * signs none, so that it counts as a faulty one for checkpoints: at most f nodes of a cluster may be without results.
 *
 * @param lastArchived last block of the archive
 */
record NoExecution(LongSupplier lastArchived) implements ExecutionSide {
    @Override
    public BlockSink sink() {
        return new UnqueuedBlocks(lastArchived);
    }

    @Override
    public DutyCycle connect(NodeCore core, AgentInbox inbox, NodeThreads threads, DutyCycle committer) {
        return committer;
    }
}
