package io.sealbook.engine.matching;

import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.intake.CommittedBlockReader;
import io.sealbook.engine.intake.NodeQueues;
import io.sealbook.engine.intake.ResultQueue;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.retention.StandingPoint;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.engine.snapshot.SnapshotHeader;
import io.sealbook.engine.snapshot.StagedSnapshot;
import io.sealbook.matching.MatchingCore;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty cycle of the matching thread, from the state it starts from to the last snapshot: reads a committed block,
 * executes it, publishes its result, fills the output ring, publishes depth, writes snapshots.
 */
final class MatchingAgent {
    private static final Logger log = LoggerFactory.getLogger(MatchingAgent.class);

    private final AgreedMarket market;
    private final EngineSettings settings;
    private final EngineStores stores;
    private final EngineOutputs outputs;
    private final EngineMonitor monitor;
    private final CommittedBlockReader reader;
    private final ResultQueue results;
    private final MatchingCore core;
    private final BlockExecutor executor;
    private final DepthCapture depth;
    private final SnapshotSchedule schedule;
    /** The last block whose result an earlier run has published. */
    private final long lastPublishedBefore;

    private Optional<CommittedBlock> lastBlock = Optional.empty();
    private long lastDepthNs;

    /**
     * Restores the newest usable state and positions both queues after it.
     *
     * @param queues not yet positioned; the caller closes them
     */
    MatchingAgent(
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor,
            NodeQueues queues) {
        this.market = market;
        this.settings = settings;
        this.stores = stores;
        this.outputs = outputs;
        this.monitor = monitor;
        this.reader = queues.blocks();
        this.results = queues.results();
        lastPublishedBefore = results.lastSequence();
        StartingPoint start = StartingPoint.choose(market, stores, lastPublishedBefore);
        core = start.core();
        depth = new DepthCapture(outputs.board(), settings.marketData().levelsMax(), market.instrumentIds());
        executor = new BlockExecutor(
                core, start.totals(), outputs.ring(), depth, stores.journal().isKept());
        schedule = new SnapshotSchedule(
                settings.snapshots(),
                new StandingPoint(start.sequence(), reportSequences()),
                System.nanoTime(),
                settings.snapshots().spread() * ThreadLocalRandom.current().nextDouble());
        begin(start);
    }

    private void begin(StartingPoint start) {
        monitor.onRestored(start.sequence(), core.resultDigest(), start.totals());
        reader.positionAfter(start.sequence(), start.blockHash(), start.queueIndex());
        results.positionAfter(start.sequence());
        depth.onAllChanged();
        depth.publish(core);
        monitor.enter(start.sequence() < lastPublishedBefore ? EnginePhase.REPLAYING : EnginePhase.TAILING);
        log.info("engine starts after block {}, results reach block {}", start.sequence(), lastPublishedBefore);
    }

    /** Executes the next block if there is one; returns how many were executed, 0 or 1. */
    int doWork() {
        Optional<CommittedBlock> next = reader.poll();
        long nowNs = System.nanoTime();
        next.ifPresent(block -> execute(block, nowNs));
        boolean isConflated = nowNs - lastDepthNs
                < TimeUnit.MILLISECONDS.toNanos(settings.marketData().conflationMs());
        if (next.isEmpty() || !isConflated) {
            depth.publish(core);
            lastDepthNs = nowNs;
        }
        return next.isPresent() ? 1 : 0;
    }

    private void execute(CommittedBlock committed, long nowNs) {
        ExecutedBlock block = executor.execute(committed);
        results.publish(
                block.sequence(), block.resultDigest(), block.executedTimeNs(), block.orderCount(), block.tradeCount());
        lastBlock = Optional.of(committed);
        Optional<Runnable> afterBlock =
                schedule.isDue(block.sequence(), nowNs) ? Optional.of(snapshot(committed, nowNs)) : Optional.empty();
        outputs.ring().endBlock(new BlockEnd(block, executor.blockDigests(), afterBlock));
        monitor.onExecuted(block, executor.totals());
        if (block.sequence() == lastPublishedBefore) {
            monitor.enter(EnginePhase.TAILING);
        }
    }

    /**
     * Writes a snapshot; returns the step that makes it count, for the thread that has written its reports to the
     * files.
     */
    private Runnable snapshot(CommittedBlock block, long nowNs) {
        StagedSnapshot staged = stage(block);
        StandingPoint older = schedule.last();
        long persisted = settings.isDatabaseFed() ? monitor.persistedBlock() : block.sequence();
        schedule.onTaken(new StandingPoint(block.sequence(), staged.header().reportSequences()), nowNs);
        return () -> {
            publish(staged);
            stores.retention().apply(block.sequence(), older, persisted);
        };
    }

    /** Writes a last snapshot if a block was executed since the last one; the ring's consumers have ended. */
    void writeLastSnapshot() {
        lastBlock.filter(block -> block.sequence() > schedule.last().block()).ifPresent(block -> publish(stage(block)));
    }

    private StagedSnapshot stage(CommittedBlock block) {
        long startNs = System.nanoTime();
        SnapshotHeader header = new SnapshotHeader(
                block.sequence(),
                block.hash(),
                core.resultDigest(),
                block.queueIndex(),
                StartingPoint.values(executor.totals()),
                reportSequences());
        StagedSnapshot staged = stores.snapshots().stage(header, core::writeSnapshot);
        monitor.onSnapshotWritten(System.nanoTime() - startNs);
        return staged;
    }

    private void publish(StagedSnapshot staged) {
        staged.publish();
        monitor.onSnapshot(staged.header().sequence(), System.currentTimeMillis());
    }

    private SortedMap<Integer, Long> reportSequences() {
        SortedMap<Integer, Long> sequences = new TreeMap<>();
        for (int brokerId : market.brokerIds()) {
            sequences.put(brokerId, core.lastReportSequence(brokerId));
        }
        return sequences;
    }
}
