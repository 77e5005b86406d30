package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.broker.Pace;
import io.sealbook.protocol.v1.EngineState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL of any one process under load: every acknowledged order is executed, once, its broker hears of it, and all
 * engines end equal.
 */
class KilledProcessIT {
    private static final List<String> SCHEMES = List.of("sm2", "secp256k1");
    private static final LoadMarket MARKET = new LoadMarket(2, 500, SCHEMES.size());
    private static final int ORDERS_PER_BATCH = 10;
    private static final int IN_FLIGHT = 64;
    /** Leaves room for the processes that start again: all of them share a few cores. */
    private static final long PAUSE_MS = 25;

    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    /** Blocks that the others commit while a process is gone, and all of them before the next one is killed. */
    private static final int BLOCKS = 20;

    private static final Duration PROGRESS_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LOAD_MAX = Duration.ofHours(1);

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 25, unit = TimeUnit.MINUTES)
    void shouldLoseNothingWhenAnyNodeOrEngineIsKilledAndRestarted() throws Exception {
        try (LocalCluster cluster = LocalCluster.prepare(plan())) {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            LoadRun load = LoadRun.begin(ORDERS_PER_BATCH, LOAD_MAX);
            List<LoadBroker> brokers = new ArrayList<>();
            ExecutorService threads = Executors.newFixedThreadPool(SCHEMES.size());
            try {
                for (int i = 0; i < SCHEMES.size(); i++) {
                    brokers.add(new LoadBroker(
                            cluster.genesis(), directory.resolve("cluster"), MARKET, i + 1, IN_FLIGHT, true));
                }
                List<Future<?>> runs = new ArrayList<>();
                for (LoadBroker broker : brokers) {
                    runs.add(threads.submit(() -> {
                        broker.submit(load, Pace.closedLoop(PAUSE_MS));
                        return null;
                    }));
                }

                awaitBlocks(brokers, runs);
                for (int i = 0; i < cluster.size(); i++) {
                    cluster.killNode(i);
                    awaitBlocks(brokers, runs);
                    cluster.startNode(i);
                    cluster.awaitReady(READY_TIMEOUT);
                    cluster.killEngine(i);
                    awaitBlocks(brokers, runs);
                    cluster.startEngine(i);
                    cluster.awaitReady(READY_TIMEOUT);
                    awaitBlocks(brokers, runs);
                }
                load.end();
                for (Future<?> run : runs) {
                    run.get();
                }

                long submitted =
                        brokers.stream().mapToLong(LoadBroker::submittedOrders).sum();
                List<EngineState> engines = cluster.awaitQuiet(lastBlock(brokers), Duration.ofMinutes(5));
                assertThat(submitted).isPositive();
                for (EngineState engine : engines) {
                    assertThat(engine.getOrders()).isEqualTo(submitted);
                    assertThat(engine.getResultDigest())
                            .isEqualTo(engines.get(0).getResultDigest());
                }
                awaitReports(brokers);
            } finally {
                threads.shutdownNow();
                brokers.forEach(LoadBroker::close);
            }
        }
    }

    /** Waits until so many more blocks hold batches of the brokers; a broker that ended has failed. */
    private static void awaitBlocks(List<LoadBroker> brokers, List<Future<?>> runs) throws Exception {
        long target = lastBlock(brokers) + BLOCKS;
        long deadlineNs = System.nanoTime() + PROGRESS_TIMEOUT.toNanos();
        while (lastBlock(brokers) < target) {
            for (Future<?> run : runs) {
                if (run.isDone()) {
                    run.get();
                }
            }
            assertThat(System.nanoTime() - deadlineNs)
                    .as("block %d of %d", lastBlock(brokers), target)
                    .isNegative();
            Thread.sleep(PAUSE_MS);
        }
    }

    private static long lastBlock(List<LoadBroker> brokers) {
        return brokers.stream().mapToLong(LoadBroker::lastBlock).max().orElseThrow();
    }

    /** Waits until every order has its report, agreed on by f+1 engines. */
    private static void awaitReports(List<LoadBroker> brokers) throws InterruptedException {
        long deadlineNs = System.nanoTime() + PROGRESS_TIMEOUT.toNanos();
        while (brokers.stream().anyMatch(broker -> broker.missingReports() > 0)) {
            assertThat(System.nanoTime() - deadlineNs)
                    .as("orders without a report")
                    .isNegative();
            Thread.sleep(PAUSE_MS);
        }
    }

    private ClusterPlan plan() throws Exception {
        return ClusterPlan.of(
                Home.find(),
                directory.resolve("cluster"),
                LocalCluster.freeBasePort(4),
                4,
                SCHEMES,
                MARKET.instruments());
    }
}
