package io.sealbook.engine.matching;

import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.intake.ResultQueue;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.retention.RestartPoint;
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
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
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
    private final DepthPace depthPace;
    private final SnapshotSchedule schedule;
    /** The last block whose result an earlier run has published. */
    private final long lastPublishedBefore;

    private Optional<CommittedBlock> lastBlock = Optional.empty();
    private Optional<SnapshotStep> snapshot = Optional.empty();
    /** The last block that the database had when the last snapshot was begun; of an earlier run none is known. */
    private long persistedAtSnapshot;

    /** Makes a whole snapshot count, on the thread that has written the reports of its block to the files. */
    private Optional<Runnable> whole = Optional.empty();

    /**
     * A snapshot, and what is kept once it counts.
     *
     * @param older what the snapshot before it relies on
     * @param persisted the last block that the database had when the snapshot before it was begun
     */
    private record SnapshotStep(SnapshotInProgress progress, RestartPoint older, long persisted) {}

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
        OptionalLong rebuildLimit = stores.rebuild().begin();
        start = StartingPoint.choose(
                market,
                stores,
                Math.min(lastPublishedBefore, rebuildLimit.orElse(Long.MAX_VALUE)),
                rebuildLimit.isPresent() ? results::replaceAfter : results::positionAfter);
        core = start.core();
        chain = new ChainExecution(core, start.terms(), BlockExecution::note);
        depth = new DepthCapture(
                outputs.board(),
                settings.marketData().levelsMax(),
                market.present().getInstrumentsList());
        depthPace = new DepthPace(settings.marketData().conflationMs(), System.nanoTime());
        executor = new BlockExecutor(chain, start.totals(), outputs.blocks(), depth);
        schedule = new SnapshotSchedule(
                settings.snapshots(),
                new RestartPoint(start.sequence(), reportSequences()),
                System.nanoTime(),
                settings.snapshots().spread() * ThreadLocalRandom.current().nextDouble());
        begin(rebuildLimit.isPresent());
    }

    /** A rebuild counts as begun with its first block: what is done here is done again if the engine ends before. */
    private void begin(boolean isRebuild) {
        monitor.onRestored(start.sequence(), core.resultDigest(), start.totals());
        monitor.onMembership(market.membership().number());
        monitor.onRebuilds(stores.rebuild().total());
        depth.restore(start.bookChanges(), start.sequence(), core.lastBlockTimeNs());
        depth.publishAll();
        depth.publish(core);
        outputs.tape().beginAfter(core.tradeCount());
        outputs.consumer().onBegin(start.sequence(), isRebuild);
        if (start.sequence() < lastPublishedBefore) {
            monitor.enter(EnginePhase.REPLAYING);
        } else {
            beginNews();
        }
        log.info("engine starts after block {}, results reach block {}", start.sequence(), lastPublishedBefore);
    }

    private void beginNews() {
        outputs.tape().beginNewsAfter(core.tradeCount());
        monitor.onWrongResult(stores.rebuild().givenUp());
        monitor.enter(EnginePhase.TAILING);
    }

    /**
     * Looks at what the node says about the results, for the monitor too.
     *
     * @return whether the node waits for a rebuild: the engine is to be closed and started again
     */
    public boolean isRebuildDue() {
        monitor.onWrongResult(stores.rebuild().givenUp());
        return stores.rebuild().isDue();
    }

    /** Returns the state that the execution began with. */
    public StartingPoint start() {
        return start;
    }

    /**
     * Publishes depth if it has changed and is due ({@link DepthPace}). Called after each block, and again when it
     * says.
     *
     * @return nanoseconds until it is due if no block comes; {@link Long#MAX_VALUE} if none has changed
     */
    public long publishDepth() {
        if (!depth.hasChanged()) {
            return Long.MAX_VALUE;
        }
        long nowNs = System.nanoTime();
        long dueInNs = depthPace.dueInNs(outputs.board().isRead(), nowNs);
        if (dueInNs > 0) {
            return dueInNs;
        }
        depth.publish(core);
        depthPace.onPublished(nowNs);
        return Long.MAX_VALUE;
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
        stores.rebuild().executed(block.sequence(), block.resultDigest());
        lastBlock = Optional.of(committed);
        List<Runnable> afterBlock = new ArrayList<>();
        if (chain.terms() != market.terms()) {
            followTerms();
            List<Integer> brokerIds = market.brokerIds();
            afterBlock.add(() -> stores.reports().open(brokerIds));
        }
        if (snapshot.isEmpty() && schedule.isDue(block.sequence(), nowNs)) {
            snapshot = Optional.of(beginSnapshot(committed, nowNs));
        }
        writeSnapshotPortion();
        whole.ifPresent(afterBlock::add);
        whole = Optional.empty();
        outputs.blocks().endBlock(new BlockEnd(block, afterBlock));
        monitor.onExecuted(block, executor.totals());
        depthPace.onBlock(System.nanoTime());
        if (block.sequence() == lastPublishedBefore) {
            beginNews();
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

    private SnapshotStep beginSnapshot(CommittedBlock block, long nowNs) {
        RestartPoint older = schedule.last();
        RestartPoint point = new RestartPoint(block.sequence(), reportSequences());
        schedule.onTaken(point, nowNs);
        // A database may lose its newest blocks when its process is killed, but not those of a snapshot ago.
        long persisted = persistedAtSnapshot;
        persistedAtSnapshot = settings.isDatabaseFed() ? monitor.persistedBlock() : block.sequence();
        return new SnapshotStep(begin(block, point), older, persisted);
    }

    private SnapshotInProgress begin(CommittedBlock block, RestartPoint point) {
        SnapshotHeader header = new SnapshotHeader(
                block.sequence(),
                block.hash(),
                core.resultDigest(),
                block.queueIndex(),
                StartingPoint.values(executor.totals()),
                point.reportSequences(),
                chain.terms().encode(),
                depth.changes());
        return SnapshotInProgress.begin(stores.snapshots(), header, core);
    }

    /**
     * Goes on with the snapshot that is being written, if there is one; once it is whole, it counts from the end of the
     * next block on.
     *
     * @return whether one is being written
     */
    public boolean writeSnapshotPortion() {
        snapshot.ifPresent(step -> step.progress
                .advance(SnapshotInProgress.PORTION)
                .ifPresent(staged -> {
                    monitor.onSnapshotWritten(step.progress.longestNs());
                    whole = Optional.of(() -> {
                        publish(staged);
                        stores.retention().apply(staged.header().sequence(), step.older, step.persisted);
                    });
                    snapshot = Optional.empty();
                }));
        return snapshot.isPresent();
    }

    /** Gives up the snapshot that is being written, if there is one. */
    public void abandonSnapshot() {
        snapshot.ifPresent(step -> step.progress.abandon());
        snapshot = Optional.empty();
    }

    /** Writes a last snapshot if a block was executed since the last one; the outputs are closed. */
    public void writeLastSnapshot() {
        boolean isLastUnpublished = snapshot.isPresent() || whole.isPresent();
        abandonSnapshot();
        lastBlock
                .filter(block ->
                        isLastUnpublished || block.sequence() > schedule.last().block())
                .ifPresent(block -> {
                    SnapshotInProgress last = begin(block, new RestartPoint(block.sequence(), reportSequences()));
                    publish(last.advance(Integer.MAX_VALUE).orElseThrow());
                });
    }

    private void publish(StagedSnapshot staged) {
        if (settings.durability().isDisk()) {
            results.force(); // A snapshot that they do not reach is not used.
        }
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
