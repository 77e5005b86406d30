package io.sealbook.engine.matching;

import io.sealbook.engine.intake.CommittedBlock;
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
import io.sealbook.matching.BrokerConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.chain.ChainExecution;
import io.sealbook.membership.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Execution of blocks, from the state it starts from to the last snapshot: runs each through the core, publishes its
 * result, hands on its outputs, publishes depth, writes snapshots. One thread at a time.
 */
public final class BlockExecution {
    private static final Logger log = LoggerFactory.getLogger(BlockExecution.class);

    private final AgreedMarket market;
    private final EngineSettings settings;
    private final EngineStores stores;
    private final EngineOutputs outputs;
    private final EngineMonitor monitor;
    private final ResultQueue results;
    private final StartingPoint start;
    private final MatchingCore core;
    private final ChainExecution chain;
    private final BlockExecutor executor;
    private final DepthCapture depth;
    private final SnapshotSchedule schedule;
    /** The last block whose result an earlier run has published. */
    private final long lastPublishedBefore;

    private Optional<CommittedBlock> lastBlock = Optional.empty();
    private long lastDepthNs;

    /**
     * Restores the newest usable state.
     *
     * @param market gets the terms that the blocks lead to
     * @param settings snapshots and market data are read here
     * @param stores files of this engine; the caller closes them
     * @param outputs take what blocks put out; the caller closes them
     * @param monitor learns every block and phase
     * @param results of an earlier run are compared, new ones added; the caller closes it
     */
    public BlockExecution(
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor,
            ResultQueue results) {
        this.market = market;
        this.settings = settings;
        this.stores = stores;
        this.outputs = outputs;
        this.monitor = monitor;
        this.results = results;
        lastPublishedBefore = results.lastSequence();
        start = StartingPoint.choose(market, stores, lastPublishedBefore);
        core = start.core();
        chain = new ChainExecution(core, start.terms(), BlockExecution::note);
        depth = new DepthCapture(
                outputs.board(),
                settings.marketData().levelsMax(),
                market.present().getInstrumentsList());
        executor = new BlockExecutor(chain, start.totals(), outputs.blocks(), depth);
        schedule = new SnapshotSchedule(
                settings.snapshots(),
                new StandingPoint(start.sequence(), reportSequences()),
                System.nanoTime(),
                settings.snapshots().spread() * ThreadLocalRandom.current().nextDouble());
        begin();
    }

    private void begin() {
        monitor.onRestored(start.sequence(), core.resultDigest(), start.totals());
        monitor.onMembership(market.membership().number());
        results.positionAfter(start.sequence());
        depth.onAllChanged();
        depth.publish(core);
        monitor.enter(start.sequence() < lastPublishedBefore ? EnginePhase.REPLAYING : EnginePhase.TAILING);
        log.info("engine starts after block {}, results reach block {}", start.sequence(), lastPublishedBefore);
    }

    /** Returns the state that the execution began with. */
    public StartingPoint start() {
        return start;
    }

    /** Publishes depth: at once while idle, otherwise as often as the settings say. */
    public void publishDepth(boolean isIdle) {
        long nowNs = System.nanoTime();
        if (isIdle
                || nowNs - lastDepthNs
                        >= TimeUnit.MILLISECONDS.toNanos(settings.marketData().conflationMs())) {
            depth.publish(core);
            lastDepthNs = nowNs;
        }
    }

    /**
     * Executes the block that follows the last one.
     *
     * @throws io.sealbook.vocabulary.BrokenInvariantException if its result differs from that of an earlier run
     */
    public ExecutedBlock execute(CommittedBlock committed) {
        long nowNs = System.nanoTime();
        ExecutedBlock block = executor.execute(committed);
        results.publish(
                block.sequence(), block.resultDigest(), block.executedTimeNs(), block.orderCount(), block.tradeCount());
        lastBlock = Optional.of(committed);
        List<Runnable> afterBlock = new ArrayList<>();
        if (chain.terms() != market.terms()) {
            followTerms();
            List<Integer> brokerIds = market.brokerIds();
            afterBlock.add(() -> stores.reports().open(brokerIds));
        }
        if (schedule.isDue(block.sequence(), nowNs)) {
            afterBlock.add(snapshot(committed, nowNs));
        }
        outputs.blocks().endBlock(new BlockEnd(block, afterBlock));
        monitor.onExecuted(block, executor.totals());
        if (block.sequence() == lastPublishedBefore) {
            monitor.enter(EnginePhase.TAILING);
        }
        return block;
    }

    private static void note(Membership.Outcome outcome) {
        if (outcome.isExecuted()) {
            log.info("{}: an administrative transaction was executed", outcome.membership());
        } else {
            log.warn("an administrative transaction was refused: {}", outcome.refusal());
        }
    }

    /** What is new exists for readers before the market names it. */
    private void followTerms() {
        depth.cover(chain.terms().next().terms().getInstrumentsList());
        depth.publish(core);
        market.follow(chain.terms());
        monitor.onMembership(market.membership().number());
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

    /** Writes a last snapshot if a block was executed since the last one; the outputs are closed. */
    public void writeLastSnapshot() {
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
                reportSequences(),
                chain.terms().encode());
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
        for (BrokerConfig broker : core.config().brokers()) {
            sequences.put(broker.brokerId(), core.lastReportSequence(broker.brokerId()));
        }
        return sequences;
    }
}
