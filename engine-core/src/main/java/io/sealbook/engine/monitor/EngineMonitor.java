package io.sealbook.engine.monitor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sealbook.vocabulary.Digest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The engine's state as others see it. The matching loop and the database's follower write, anybody reads; every value
 * is a whole one, different values may be of neighbouring blocks.
 *
 * <p>Phases: STARTING to REPLAYING or TAILING, REPLAYING to TAILING, any to STOPPED or FAILED; FAILED is final.
 */
public final class EngineMonitor {
    /** Blocks remembered for the console and for latency figures. */
    public static final int RECENT_BLOCKS = 256;

    private final AtomicReferenceArray<ExecutedBlock> recent = new AtomicReferenceArray<>(RECENT_BLOCKS);
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile EnginePhase phase = EnginePhase.STARTING;
    private volatile Throwable failure;
    private volatile Optional<String> obstacle = Optional.empty();
    private volatile Optional<String> wrongResult = Optional.empty();
    private volatile ExecutedBlock last;
    private volatile long lastExecuted;
    private volatile Digest resultDigest = Digest.ZERO;
    private volatile Totals totals = Totals.none();
    private volatile long restoredTo;
    private volatile long lastSnapshot;
    private volatile long lastSnapshotTimeMs;
    private volatile long persistedBlock;
    private volatile long membership;
    private volatile long rebuilds;
    private volatile Throwable databaseFailure;

    private final Timer executionTimer;
    private final Timer snapshotTimer;

    /** @param registry gets the timers of what the loop does; gauges and counters are read from here by others */
    public EngineMonitor(MeterRegistry registry) {
        executionTimer = Timer.builder("sealbook.engine.block.execution")
                .description("How long does the execution of one block take?")
                .publishPercentileHistogram()
                .minimumExpectedValue(Duration.ofNanos(50_000))
                .maximumExpectedValue(Duration.ofSeconds(10))
                .register(registry);
        snapshotTimer = Timer.builder("sealbook.engine.snapshot.pause")
                .description("How long does execution pause while a snapshot is written?")
                .register(registry);
    }

    public EnginePhase phase() {
        return phase;
    }

    /** Enters a phase; ignored once failed. */
    public synchronized void enter(EnginePhase next) {
        if (phase != EnginePhase.FAILED) {
            phase = next;
        }
    }

    /** Records why the engine stops; the first reason stays. */
    public synchronized void fail(Throwable reason) {
        if (phase != EnginePhase.FAILED) {
            failure = reason;
            phase = EnginePhase.FAILED;
            failed.countDown();
        }
    }

    /** Records why the next block cannot be executed although it was handed over; empty if it can, or none was. */
    public void onObstacle(Optional<String> fact) {
        if (!fact.equals(obstacle)) {
            obstacle = fact;
        }
    }

    /** Returns why the next block cannot be executed although it was handed over: its archive has to be repaired. */
    public Optional<String> obstacle() {
        return obstacle;
    }

    /** Records which result differs from that of the others and is not built again; empty if none does. */
    public void onWrongResult(Optional<String> fact) {
        wrongResult = fact;
    }

    /** Returns which result differs from that of the others, although it was built again: the books are wrong. */
    public Optional<String> wrongResult() {
        return wrongResult;
    }

    /** Returns whether new blocks are executed as they come, and no result is known to be wrong. */
    public boolean isExecuting() {
        return phase == EnginePhase.TAILING && obstacle.isEmpty() && wrongResult.isEmpty();
    }

    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** Waits until the engine has failed. */
    public void awaitFailure() throws InterruptedException {
        failed.await();
    }

    /**
     * Sets the state that a snapshot was read to.
     *
     * @param sequence the last block of the state; 0 for the empty market
     * @param digest result digest at that block
     * @param sums over all blocks up to it
     */
    public void onRestored(long sequence, Digest digest, Totals sums) {
        lastExecuted = sequence;
        resultDigest = digest;
        totals = sums;
        restoredTo = sequence;
        lastSnapshot = sequence;
    }

    /**
     * Records a block that was executed and published.
     *
     * @param block its figures
     * @param sums over all blocks up to it
     */
    public void onExecuted(ExecutedBlock block, Totals sums) {
        recent.set((int) (block.sequence() % RECENT_BLOCKS), block);
        last = block;
        resultDigest = block.resultDigest();
        totals = sums;
        lastExecuted = block.sequence();
        executionTimer.record(block.executionNs(), TimeUnit.NANOSECONDS);
    }

    /** Records for how long the loop executed nothing while it wrote a snapshot: the longest of its portions. */
    public void onSnapshotWritten(long pauseNs) {
        snapshotTimer.record(pauseNs, TimeUnit.NANOSECONDS);
    }

    /**
     * Records a snapshot that counts.
     *
     * @param sequence its block
     * @param timeMs when, ms since the epoch
     */
    public void onSnapshot(long sequence, long timeMs) {
        lastSnapshot = sequence;
        lastSnapshotTimeMs = timeMs;
    }

    /** Records how many administrative transactions the next block's membership has. */
    public void onMembership(long number) {
        membership = number;
    }

    /** Records how often this engine has built its state again, because its result was not that of the others. */
    public void onRebuilds(long total) {
        rebuilds = total;
    }

    /**
     * Records where the database is when it is opened. What has failed before may fail again.
     *
     * @param sequence of the last block that is in the database
     */
    public void onDatabaseOpened(long sequence) {
        persistedBlock = sequence;
    }

    /** Records that the database has all blocks: a failure before is over. */
    public void onDatabaseUpToDate() {
        databaseFailure = null;
    }

    /** Records that the database has taken blocks up to this one: a failure before is over. */
    public void onPersisted(long sequence) {
        persistedBlock = sequence;
        databaseFailure = null;
    }

    public void onDatabaseFailure(Throwable reason) {
        databaseFailure = reason;
    }

    public Optional<Throwable> databaseFailure() {
        return Optional.ofNullable(databaseFailure);
    }

    /**
     * Returns the reason of a failure for people: its message, without one what it is.
     *
     * @param failure of this monitor
     */
    public static String reasonOf(Throwable failure) {
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** Returns the last executed block; 0 before the first. */
    public long lastExecuted() {
        return lastExecuted;
    }

    /** Returns the last block executed by this process, if any. */
    public Optional<ExecutedBlock> lastBlock() {
        return Optional.ofNullable(last);
    }

    /** Returns the number of executed administrative transactions. */
    public long membership() {
        return membership;
    }

    /** Returns how often this engine has built its state again. */
    public long rebuilds() {
        return rebuilds;
    }

    public Digest resultDigest() {
        return resultDigest;
    }

    public Totals totals() {
        return totals;
    }

    /** Returns the block of the snapshot that this process started from; 0 when it was the empty market. */
    public long restoredTo() {
        return restoredTo;
    }

    /** Returns the block of the newest durable snapshot; 0 when there is none. */
    public long lastSnapshot() {
        return lastSnapshot;
    }

    /** Returns when this process wrote its last snapshot, ms since the epoch; 0 when it wrote none. */
    public long lastSnapshotTimeMs() {
        return lastSnapshotTimeMs;
    }

    /** Returns the last block whose orders and trades are in the database. */
    public long persistedBlock() {
        return persistedBlock;
    }

    /** Returns up to {@code limit} blocks executed by this process, newest first. */
    public List<ExecutedBlock> recentBlocks(int limit) {
        List<ExecutedBlock> blocks = new ArrayList<>();
        long newest = lastExecuted;
        for (long sequence = newest;
                sequence > 0 && sequence > newest - RECENT_BLOCKS && blocks.size() < limit;
                sequence--) {
            ExecutedBlock block = recent.get((int) (sequence % RECENT_BLOCKS));
            if (block != null && block.sequence() == sequence) {
                blocks.add(block);
            }
        }
        return blocks;
    }
}
