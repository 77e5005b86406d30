package io.sealbook.consensus;

import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.agent.ResultCheckpoints;
import io.sealbook.consensus.agent.ResultCycle;
import io.sealbook.consensus.config.HandOffContent;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.BlockSink;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The engine is another process: blocks and results pass through two queues. */
final class SeparatedExecution implements ExecutionSide {
    private final NodeContext context;
    private final NodeDirectory directory;
    private final LongSupplier lastArchived;
    private final BlockQueue blocks;

    /**
     * Opens queue/blocks.
     *
     * @param context of the node
     * @param directory of the node
     * @param archive of the node
     */
    SeparatedExecution(NodeContext context, NodeDirectory directory, BlockArchive archive) {
        this.context = context;
        this.directory = directory;
        this.lastArchived = archive::lastSequence;
        boolean isBlockCarried = context.config().handOff() == HandOffContent.BLOCKS;
        blocks = context.parts()
                .add(new BlockQueue(
                        directory.blockQueue(),
                        context.config().durability(),
                        isBlockCarried ? archive::read : sequence -> Optional.empty()));
    }

    @Override
    public BlockSink sink() {
        return blocks;
    }

    @Override
    public DutyCycle connect(NodeCore core, AgentInbox inbox, NodeThreads threads, DutyCycle committer) {
        OpenParts parts = context.parts();
        ResultReader reader = parts.add(new ResultReader(
                directory.resultQueue(),
                ExecutionSide.lastKnown(core),
                lastArchived,
                new ResultCheckpoints(
                        core.checkpointing(), inbox, context.metrics().phases())));
        threads.add("results", parts.add(new ResultCycle(directory.resultQueue(), reader, context.state())));
        return committer;
    }
}
