package io.sealbook.engine.matching;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.engine.config.EngineDirectory;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.config.Market;
import io.sealbook.engine.intake.CommittedBlock;
import io.sealbook.engine.intake.CommittedBlockReader;
import io.sealbook.engine.intake.ResultQueue;
import io.sealbook.engine.journal.ExecutionJournal;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.output.BlockEnd;
import io.sealbook.engine.output.OutputRing;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.retention.Retention;
import io.sealbook.engine.retention.StandingPoint;
import io.sealbook.engine.snapshot.EngineSnapshot;
import io.sealbook.engine.snapshot.SnapshotStore;
import io.sealbook.matching.MatchingCore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the matching core: reads committed blocks, executes them, publishes results, fills the output ring, keeps
 * snapshots. It parks while there is nothing to do, for at most {@link #PARK_MAX_NS}.
 *
 * <p>Anything that it cannot explain ends it: the monitor then holds the reason.
 */
public final class MatchingLoop {
    private static final Logger LOG = LoggerFactory.getLogger(MatchingLoop.class);
    private static final long PARK_MIN_NS = 50_000;
    private static final long PARK_MAX_NS = 1_000_000;
    private static final long SPINS_MAX = 10;
    private static final long YIELDS_MAX = 10;

    private final EngineDirectory directory;
    private final EngineProperties properties;
    private final Market market;
    private final EngineMonitor monitor;
    private final ReportStores reports;
    private final ExecutionJournal journal;
    private final SnapshotStore snapshots;
    private final DepthBoard board;
    private final OutputRing ring;
    private final Retention retention;
    private final Timer executionTimer;
    private final Thread thread = Thread.ofPlatform().name("matching").unstarted(this::run);
    private final IdleStrategy idle = new BackoffIdleStrategy(SPINS_MAX, YIELDS_MAX, PARK_MIN_NS, PARK_MAX_NS);

    private volatile boolean isStopping;
    private MatchingCore core;
    private BlockExecutor executor;
    private DepthCapture depth;
    private CommittedBlock lastBlock;
    private long lastPublishedBefore;
    private long lastDepthNs;
    private StandingPoint snapshotPoint;
    private long snapshotNs;
    /** The part of the interval by which the next snapshot comes early. */
    private double snapshotAdvance;

    public MatchingLoop(
            EngineDirectory directory,
            EngineProperties properties,
            Market market,
            EngineMonitor monitor,
            ReportStores reports,
            ExecutionJournal journal,
            SnapshotStore snapshots,
            DepthBoard board,
            OutputRing ring,
            MeterRegistry registry) {
        this.directory = directory;
        this.properties = properties;
        this.market = market;
        this.monitor = monitor;
        this.reports = reports;
        this.journal = journal;
        this.snapshots = snapshots;
        this.board = board;
        this.ring = ring;
        this.retention = new Retention(
                directory, properties, market.genesis().getParameters().getLogWindow(), reports, journal, registry);
        this.executionTimer = Timer.builder("sealbook.engine.block.execution")
                .description("How long does the execution of one block take?")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(50_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
    }

    public void start() {
        thread.start();
    }

    /** Stops behind the block in hand, after a last snapshot; returns when the thread has ended. */
    public void stop() throws InterruptedException {
        isStopping = true;
        if (thread.isAlive()) {
            thread.join();
        }
    }

    private void run() {
        try (CommittedBlockReader reader = new CommittedBlockReader(directory.blocks(), directory.archive());
                ResultQueue results = new ResultQueue(directory.results())) {
            restore(reader, results);
            while (!isStopping) {
                duty(reader, results);
            }
            ring.close();
            if (lastBlock != null && lastBlock.sequence() > snapshotPoint.block()) {
                write(snapshot());
            }
            monitor.enter(EnginePhase.STOPPED);
        } catch (Throwable failure) {
            LOG.error("engine stops behind block {}: {}", monitor.lastExecuted(), failure.getMessage(), failure);
            monitor.fail(failure);
            ring.close();
        }
    }

    private void restore(CommittedBlockReader reader, ResultQueue results) {
        lastPublishedBefore = results.lastSequence();
        StartingPoint start = StartingPoint.choose(market, snapshots, reports, journal, lastPublishedBefore);
        core = start.core();
        depth = new DepthCapture(board, properties.marketData().levelsMax(), market.instrumentIds());
        executor = new BlockExecutor(core, start.totals(), ring, depth, journal.isKept());
        snapshotPoint = new StandingPoint(start.sequence(), reportSequences());
        snapshotNs = System.nanoTime();
        snapshotAdvance =
                properties.snapshots().spread() * ThreadLocalRandom.current().nextDouble();
        byte[] digest = new byte[32];
        core.resultDigest(digest, 0);
        monitor.onRestored(start.sequence(), digest, start.totals());
        reader.positionAfter(start.sequence(), start.blockHash(), start.queueIndex());
        results.positionAfter(start.sequence());
        depth.onAllChanged();
        depth.publish(core);
        monitor.enter(start.sequence() < lastPublishedBefore ? EnginePhase.REPLAYING : EnginePhase.TAILING);
        LOG.info("engine starts behind block {}, results reach block {}", start.sequence(), lastPublishedBefore);
    }

    private void duty(CommittedBlockReader reader, ResultQueue results) {
        Optional<CommittedBlock> next = reader.poll();
        long nowNs = System.nanoTime();
        if (next.isPresent()) {
            idle.reset();
            execute(next.get(), results, nowNs);
        }
        boolean isConflated = nowNs - lastDepthNs
                < TimeUnit.MILLISECONDS.toNanos(properties.marketData().conflationMs());
        if (next.isEmpty() || !isConflated) {
            depth.publish(core);
            lastDepthNs = nowNs;
        }
        if (next.isEmpty()) {
            idle.idle();
        }
    }

    private void execute(CommittedBlock committed, ResultQueue results, long nowNs) {
        ExecutedBlock block = executor.execute(committed);
        results.publish(
                block.sequence(), block.resultDigest(), block.executedTimeNs(), block.orderCount(), block.tradeCount());
        lastBlock = committed;
        Optional<Runnable> afterBlock = Optional.empty();
        if (isSnapshotDue(block.sequence(), nowNs)) {
            EngineSnapshot snapshot = snapshot();
            StandingPoint older = snapshotPoint;
            long persisted = properties.database().enabled() ? monitor.persistedBlock() : block.sequence();
            snapshotPoint = new StandingPoint(block.sequence(), snapshot.reportSequences());
            snapshotNs = nowNs;
            snapshotAdvance = 0;
            afterBlock = Optional.of(() -> {
                write(snapshot);
                retention.apply(snapshot.sequence(), older, persisted);
            });
        }
        ring.endBlock(new BlockEnd(block, afterBlock));
        monitor.onExecuted(block, executor.totals());
        executionTimer.record(block.executionNs(), TimeUnit.NANOSECONDS);
        if (block.sequence() == lastPublishedBefore) {
            monitor.enter(EnginePhase.TAILING);
        }
    }

    private boolean isSnapshotDue(long sequence, long nowNs) {
        EngineProperties.Snapshots settings = properties.snapshots();
        double part = 1 - snapshotAdvance;
        return sequence - snapshotPoint.block() >= part * settings.everyBlocks()
                || nowNs - snapshotNs >= part * TimeUnit.SECONDS.toNanos(settings.everySeconds());
    }

    private EngineSnapshot snapshot() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            core.writeSnapshot(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot encode block " + core.lastSequence(), e);
        }
        byte[] digest = new byte[32];
        core.resultDigest(digest, 0);
        return new EngineSnapshot(
                core.lastSequence(),
                lastBlock.hash(),
                digest,
                lastBlock.queueIndex(),
                StartingPoint.values(executor.totals()),
                reportSequences(),
                bytes.toByteArray());
    }

    private SortedMap<Integer, Long> reportSequences() {
        SortedMap<Integer, Long> sequences = new TreeMap<>();
        for (int brokerId : market.brokerIds()) {
            sequences.put(brokerId, core.lastReportSequence(brokerId));
        }
        return sequences;
    }

    private void write(EngineSnapshot snapshot) {
        snapshots.write(snapshot);
        monitor.onSnapshot(snapshot.sequence(), System.currentTimeMillis());
    }
}
