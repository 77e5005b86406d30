package io.sealbook.consensus;

import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CombinedCycle;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.agent.EngineCycle;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.agent.OfferedCheckpoints;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.ExecutionConfig;
import io.sealbook.consensus.config.ExecutionMode;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessEngineChoice;
import io.sealbook.consensus.execution.InProcessExecution;
import io.sealbook.node.NodeCore;
import io.sealbook.node.port.BlockSink;
import io.sealbook.protocol.v1.Parameters;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine runs inside the node, on the committer's thread: a replica, or a node of experiments. */
final class InsideExecution implements ExecutionSide {
    private static final Logger log = LoggerFactory.getLogger(InsideExecution.class);
    /**
     * Blocks that a replica commits ahead of its engine at most: with more, it would commit faster than it executes.
     */
    private static final int WAITING_MAX = 8;

    private final NodeContext context;
    private final InProcessEngine engine;
    private final InProcessExecution execution;

    /**
     * @param context of the node
     * @param archive of the node
     * @param engine closed with the node
     * @param waitingMax blocks that may be committed and not executed; 0: a block is executed before its receipts leave
     */
    private InsideExecution(NodeContext context, BlockArchive archive, InProcessEngine engine, int waitingMax) {
        this.context = context;
        this.engine = engine;
        execution = context.parts()
                .add(new InProcessExecution(engine, archive, new SystemEpochNanoClock()::nanoTime, waitingMax));
    }

    /**
     * Takes the engine of a replica: the receipts of a block leave before it is executed.
     *
     * @param context of the node
     * @param archive of the node
     * @param engine closed with the node
     */
    static InsideExecution ofReplica(NodeContext context, BlockArchive archive, InProcessEngine engine) {
        return new InsideExecution(context, archive, engine, WAITING_MAX);
    }

    /**
     * Opens the engine of an experiment.
     *
     * @param context of the node
     * @param archive of the node
     * @throws ConfigException if there is no such engine, or the genesis file does not fit the mode
     */
    static InsideExecution ofExperiment(NodeContext context, BlockArchive archive) {
        ExecutionConfig config = context.config().experiment().execution();
        requireEachResultAgreed(config.mode(), context.member());
        log.info("execution: {}, engine {} inside this node", config.mode(), config.engine());
        return new InsideExecution(
                context,
                archive,
                InProcessEngineChoice.open(config, context.member().genesis()),
                0);
    }

    private static void requireEachResultAgreed(ExecutionMode mode, Member member) {
        Parameters parameters = member.parameters();
        if (mode == ExecutionMode.INLINE
                && (parameters.getCheckpointInterval() != 1 || parameters.getPipelineWindow() != 1)) {
            throw new ConfigException("node.properties: experiment.execution=inline needs a genesis file with"
                    + " checkpointInterval 1 and pipelineWindow 1, which has " + parameters.getCheckpointInterval()
                    + " and " + parameters.getPipelineWindow());
        }
    }

    @Override
    public boolean isInside() {
        return true;
    }

    @Override
    public BlockSink sink() {
        return execution;
    }

    @Override
    public DutyCycle connect(NodeCore core, AgentInbox inbox, NodeThreads threads, DutyCycle committer) {
        OfferedCheckpoints results = new OfferedCheckpoints(
                core.checkpointing(), inbox, context.metrics().phases());
        execution.onResults(results, ExecutionSide.lastKnown(core));
        return new CombinedCycle(new CombinedCycle(committer, results), new EngineCycle(engine, execution));
    }

    @Override
    public boolean isRebuildDue() {
        return engine.isRebuildDue();
    }

    @Override
    public void start() {
        engine.start();
    }
}
