package io.sealbook.engine.matching;

import io.sealbook.engine.intake.NodeQueues;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.handoff.QueueWatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the matching core and runs {@link MatchingAgent}. It sleeps until the node has handed over a
 * block; where the node's signals do not come, it looks each {@link #POLL_NS}.
 *
 * <p>Any failure ends it: the monitor then holds the reason.
 */
public final class MatchingLoop {
    private static final Logger log = LoggerFactory.getLogger(MatchingLoop.class);
    private static final long POLL_NS = 1_000_000;
    /** Between two looks at whether the node is isolated. */
    private static final long REBUILD_LOOK_NS = 1_000_000_000L;

    private final EngineDirectory directory;
    private final AgreedMarket market;
    private final EngineSettings settings;
    private final EngineStores stores;
    private final EngineOutputs outputs;
    private final EngineMonitor monitor;
    private final long sleepMaxNs;
    private final Thread thread = Thread.ofPlatform().name("matching").unstarted(this::run);
    private volatile boolean isStopping;
    private volatile QueueWatch watch;
    private long lastLookNs = System.nanoTime();

    /**
     * Makes a loop that is not started.
     *
     * @param directory the node's directory, locked by this process
     * @param market instruments and brokers of the genesis file in it
     * @param settings settings; snapshots, market data and database are read here
     * @param stores files of this engine; the caller closes them after {@link #stop}
     * @param outputs the ring is closed when the loop ends
     * @param monitor learns every block, phase and failure
     */
    public MatchingLoop(
            EngineDirectory directory,
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor) {
        this(directory, market, settings, stores, outputs, monitor, QueueWatch.SLEEP_MAX_NS);
    }

    /** @param sleepMaxNs longest sleep of a loop that is signalled; everything else is as above */
    MatchingLoop(
            EngineDirectory directory,
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor,
            long sleepMaxNs) {
        this.directory = directory;
        this.market = market;
        this.settings = settings;
        this.stores = stores;
        this.outputs = outputs;
        this.monitor = monitor;
        this.sleepMaxNs = sleepMaxNs;
    }

    public void start() {
        thread.start();
    }

    /** Stops after the current block and a last snapshot; returns when the thread has ended. */
    public void stop() throws InterruptedException {
        isStopping = true;
        QueueWatch sleeping = watch;
        if (sleeping != null) {
            sleeping.wakeUp();
        }
        if (thread.isAlive()) {
            thread.join();
        }
    }

    private void endIfRebuildIsDue(BlockExecution execution) {
        long nowNs = System.nanoTime();
        if (nowNs - lastLookNs < REBUILD_LOOK_NS) {
            return;
        }
        lastLookNs = nowNs;
        if (execution.isRebuildDue()) {
            throw stores.rebuild().reason();
        }
    }

    private void run() {
        try (NodeQueues queues = NodeQueues.open(directory);
                QueueWatch opened = QueueWatch.open(directory.blocks(), sleepMaxNs)) {
            watch = opened;
            BlockExecution execution = new BlockExecution(market, settings, stores, outputs, monitor, queues.results());
            try {
                MatchingAgent agent = new MatchingAgent(queues.blocks(), execution);
                while (!isStopping) {
                    int done = agent.doWork();
                    monitor.onObstacle(agent.obstacle());
                    if (done > 0) {
                        watch.onFound();
                    } else if (watch.maySleep()) {
                        long nanos = agent.isBlockAwaited() ? POLL_NS : watch.sleepNs(POLL_NS);
                        sleep(Math.min(nanos, agent.depthDueInNs()));
                    }
                    endIfRebuildIsDue(execution);
                }
                outputs.blocks().close();
                // Outputs that a consumer has not taken must come again.
                if (monitor.failure().isEmpty()) {
                    execution.writeLastSnapshot();
                }
            } finally {
                execution.abandonSnapshot();
            }
            monitor.enter(EnginePhase.STOPPED);
        } catch (Throwable failure) {
            log.error("engine stops after block {}: {}", monitor.lastExecuted(), failure.getMessage(), failure);
            monitor.fail(failure);
            outputs.blocks().close();
        }
    }

    /** Lets other threads run first: where all cores are busy, the next block comes meanwhile. */
    private void sleep(long nanos) {
        Thread.yield();
        if (!isStopping) {
            watch.await(nanos);
        }
    }
}
