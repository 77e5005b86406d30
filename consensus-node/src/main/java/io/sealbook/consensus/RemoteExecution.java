package io.sealbook.consensus;

import io.sealbook.access.HolderQuota;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.agent.ResultCheckpoints;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.gateway.LimitedService;
import io.sealbook.consensus.results.EngineKey;
import io.sealbook.consensus.results.ResultReturnService;
import io.sealbook.consensus.results.ReturnedResults;
import io.sealbook.consensus.status.BlockPhaseTimers;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.BlockSink;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** The engine is on another machine: it follows this node's blocks there, and returns its results over the network. */
final class RemoteExecution implements ExecutionSide {
    /** Many more than may be without a proof: those that have lost their place are closed a moment later. */
    private static final int STREAMS_MAX = 256;

    private static final int STREAMS_PER_ADDRESS = 4;

    private final EngineKey key;
    private final LongSupplier lastArchived;
    private final BlockPhaseTimers phases;
    private ReturnedResults results;

    /**
     * @param directory of the node, with engine.key
     * @param lastArchived last block of the archive
     * @param phases learns when blocks were executed
     * @throws IOException if the key cannot be read
     */
    RemoteExecution(NodeDirectory directory, LongSupplier lastArchived, BlockPhaseTimers phases) throws IOException {
        this.key = EngineKey.read(directory.engineKeyFile());
        this.lastArchived = lastArchived;
        this.phases = phases;
    }

    @Override
    public BlockSink sink() {
        return new UnqueuedBlocks(lastArchived);
    }

    @Override
    public DutyCycle connect(NodeCore core, AgentInbox inbox, NodeThreads threads, DutyCycle committer) {
        results = new ReturnedResults(
                ExecutionSide.lastKnown(core),
                lastArchived,
                core.state()::isolatedAt,
                new ResultCheckpoints(core.checkpointing(), inbox, phases));
        core.blocks().onCommitted(results::wakeUp);
        threads.add("results", results);
        return committer;
    }

    @Override
    public List<LimitedService> services() {
        return List.of(new LimitedService(
                new ResultReturnService(key, results),
                Set.of(),
                Set.of(),
                Map.of(ResultReturnGrpc.getReturnResultsMethod(), new HolderQuota(STREAMS_MAX, STREAMS_PER_ADDRESS))));
    }
}
