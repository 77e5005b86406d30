package io.sealbook.replica;

import io.sealbook.archive.Block;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.intake.CommittedBlockReader;
import io.sealbook.engine.intake.ResultQueue;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.journal.JournalHandler;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.matching.BlockExecution;
import io.sealbook.engine.matching.EngineOutputs;
import io.sealbook.engine.matching.EngineStores;
import io.sealbook.engine.matching.StartingPoint;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.output.DirectOutput;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.DirectoryLock;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/**
 * The engine of a replica, on the thread that commits. It has the files of a separate engine and starts from them as
 * that one does; blocks come from the committer in place of queue/blocks, and its outputs are filed before the next
 * block. One thread at a time.
 */
final class ReplicaEngine implements InProcessEngine {
    /** From a portion of a snapshot to the next one while no block comes. */
    private static final long SNAPSHOT_PAUSE_NS = 50_000_000;

    private final OpenParts parts;
    private final EngineMonitor monitor;
    private final BlockExecution execution;
    private final EngineServices services;
    private final Optional<Position> restored;
    private boolean hasExecuted;

    private ReplicaEngine(EngineContext context, OpenParts parts) {
        this.parts = parts;
        EngineSettings settings = context.settings();
        AgreedMarket market = context.market();
        EngineDirectory files =
                parts.add(DirectoryLock.acquire(context.files())).directory();
        monitor = new EngineMonitor(context.registry());
        ExecutionJournal noJournal = ExecutionJournal.none(files.journal());
        EngineStores stores = parts.add(EngineStores.open(files, market, settings, noJournal, context.registry()));
        DepthBoard board = new DepthBoard(market.instrumentIds());
        TradeTape tape = new TradeTape(settings.marketData().tapeTrades());
        JournalHandler filing = new JournalHandler(noJournal, stores.reports(), tape, settings.durability());
        execution = new BlockExecution(
                market,
                settings,
                stores,
                new EngineOutputs(
                        new DirectOutput(
                                settings.frameBytes(), false, frame -> filing.onEvent(frame, 0, frame.isLast())),
                        board,
                        tape,
                        tape),
                monitor,
                parts.add(new ResultQueue(files.results())));
        restored = position(execution.start());
        services = parts.add(new EngineServices(context, monitor, stores.reports(), board, tape));
    }

    /**
     * Opens the engine's files and restores the newest usable state.
     *
     * @throws io.sealbook.vocabulary.OperatingFailureException if another engine runs on the directory
     */
    static ReplicaEngine open(EngineContext context) {
        OpenParts parts = new OpenParts();
        try {
            return new ReplicaEngine(context, parts);
        } catch (RuntimeException failure) {
            parts.closeAfter(failure);
            throw failure;
        }
    }

    /** Before the first block: its core has the state of the starting point. */
    private static Optional<Position> position(StartingPoint start) {
        return start.sequence() == 0
                ? Optional.empty()
                : Optional.of(new Position(start.sequence(), start.blockHash(), start.resultDigest()));
    }

    @Override
    public Optional<Position> restored() {
        return restored;
    }

    @Override
    public boolean isRebuildDue() {
        return execution.isRebuildDue();
    }

    @Override
    public void start() {
        services.start();
    }

    @Override
    public Digest execute(Block block) {
        try {
            hasExecuted = true;
            return execution
                    .execute(new CommittedBlock(block, block.hash(), CommittedBlockReader.NO_QUEUE_INDEX))
                    .resultDigest();
        } catch (Throwable failure) {
            // An error, too: no snapshot may have half of a block.
            monitor.fail(failure);
            throw failure;
        }
    }

    /** Publishes depth, and goes on with a snapshot if no block came since the last call. */
    @Override
    public long betweenBlocks() {
        long depthDueInNs = execution.publishDepth();
        boolean isSnapshotDue = hasExecuted || execution.writeSnapshotPortion();
        hasExecuted = false;
        return isSnapshotDue ? Math.min(depthDueInNs, SNAPSHOT_PAUSE_NS) : depthDueInNs;
    }

    /**
     * Ends the streams, and keeps a last snapshot unless the engine has failed. Whatever that throws, all is closed:
     * the directory can be opened again.
     */
    @Override
    public void close() {
        try (parts) {
            keepLastSnapshot();
        }
    }

    private void keepLastSnapshot() {
        try {
            if (monitor.phase() != EnginePhase.FAILED) {
                execution.writeLastSnapshot();
                monitor.enter(EnginePhase.STOPPED);
            }
        } finally {
            execution.abandonSnapshot();
        }
    }
}
