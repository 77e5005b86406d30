package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.CommitSeries;
import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A local cluster under a closed loop of load: every broker keeps a fixed number of batches in flight. Each measurement
 * ends with a check: every engine must have executed as many orders as were committed, and all the same.
 */
final class LoadedCluster implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(180);
    private static final long LIGHT_LOAD_PAUSE_MS = 4;

    private final LoadOptions load;
    private final LocalCluster cluster;
    private final long[] nextClOrdIds;
    private long executedBefore;

    private LoadedCluster(LoadOptions load, LocalCluster cluster) {
        this.load = load;
        this.cluster = cluster;
        this.nextClOrdIds = new long[load.brokerSchemes.size()];
        Arrays.fill(nextClOrdIds, 1);
    }

    /**
     * Starts a new cluster and waits until it takes orders.
     *
     * @param testnetOptions added to those that the load asks for
     */
    static LoadedCluster start(LoadOptions load, Recording recording, List<String> testnetOptions)
            throws IOException, InterruptedException {
        WorkDirectory.empty(load.directory());
        LocalCluster cluster = LocalCluster.prepare(plan(load, testnetOptions).withRecording(recording));
        try {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return new LoadedCluster(load, cluster);
    }

    private static ClusterPlan plan(LoadOptions load, List<String> testnetOptions) throws IOException {
        List<String> instruments = new ArrayList<>();
        for (int i = 1; i <= load.brokerSchemes.size(); i++) {
            instruments.add(LoadBroker.instrument(i));
        }
        List<String> engineOptions = List.of(
                "--sealbook.engine.durability=" + load.durability,
                // A minute of load is millions of reports, which this experiment does not read.
                "--sealbook.engine.reports.keep-blocks=0",
                "--sealbook.engine.snapshots.every-seconds=20",
                "--sealbook.engine.database.enabled=" + !load.isWithoutDatabase);
        List<String> options = new ArrayList<>(List.of("--node-property", "durability=" + load.durability));
        options.addAll(load.testnetOptions());
        options.addAll(testnetOptions);
        return ClusterPlan.of(
                        load.home(),
                        load.directory(),
                        LocalCluster.freeBasePort(load.nodeCount),
                        load.nodeCount,
                        load.brokerSchemes,
                        instruments)
                .withEngineOptions(engineOptions)
                .withFixedHeaps()
                .withTestnetOptions(options);
    }

    Path directory() {
        return cluster.directory();
    }

    /** Returns {@link LocalCluster#isTrained}. */
    boolean isTrained() {
        return cluster.isTrained();
    }

    /** Says in a line how its processes began. */
    String describeStart() {
        return isTrained()
                ? "Virtual machines start trained"
                : "Virtual machines start untrained; perf.jar train shortens their warm-up";
    }

    /** Does what {@link LocalCluster#keepTraining} does; comes after {@link #close}. */
    void keepTraining() throws IOException, InterruptedException {
        cluster.keepTraining();
    }

    /**
     * Has the processes compile their code: for half of the time a light load leaves them the processor for that, where
     * the full one would leave them little; then the full load, to which they adapt.
     */
    void warmUp(int orders, int seconds) throws IOException, InterruptedException {
        int lightSeconds = seconds / 2;
        if (lightSeconds > 0) {
            run(orders, lightSeconds, LIGHT_LOAD_PAUSE_MS);
        }
        if (seconds > lightSeconds) {
            run(orders, seconds - lightSeconds, 0);
        }
    }

    /**
     * Puts load on the cluster and returns the figures of the run's middle third.
     *
     * @throws IOException if an order was lost, an engine differs, or a process ended
     */
    ThroughputRow measure(int orders, int seconds) throws IOException, InterruptedException {
        return run(orders, seconds, 0);
    }

    private ThroughputRow run(int orders, int seconds, long pauseMs) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        long durationNs = Duration.ofSeconds(seconds).toNanos();
        CommitSeries series = new CommitSeries(startNs, durationNs);
        CpuTimes before = cluster.cpuTimes();
        List<LoadBroker> brokers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(nextClOrdIds.length);
        try {
            for (int i = 0; i < nextClOrdIds.length; i++) {
                brokers.add(new LoadBroker(
                        cluster.genesis(),
                        cluster.directory(),
                        i + 1,
                        i % cluster.size(),
                        orders,
                        load.inFlight,
                        nextClOrdIds[i],
                        series));
            }
            List<Future<?>> runs = new ArrayList<>();
            for (LoadBroker broker : brokers) {
                runs.add(threads.submit(() -> {
                    broker.runUntil(() -> System.nanoTime() - startNs >= durationNs, pauseMs);
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } catch (ExecutionException e) {
            cluster.checkProcesses(); // A process that ended explains more than the broker that misses it.
            throw new IOException("a broker failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdownNow();
            brokers.forEach(LoadBroker::close);
        }
        CpuTimes cpu = cluster.cpuTimes().minus(before);
        double cpuSeconds = (System.nanoTime() - startNs) / 1e9;
        long submitted = 0;
        long lastBlock = 0;
        for (int i = 0; i < brokers.size(); i++) {
            submitted += brokers.get(i).submittedOrders();
            lastBlock = Math.max(lastBlock, brokers.get(i).lastBlock());
            nextClOrdIds[i] = brokers.get(i).nextClOrdId();
        }
        check(cluster.awaitQuiet(lastBlock, QUIET_TIMEOUT), submitted);
        return ThroughputRow.of(orders, series.middleThird(), cpu, cpuSeconds, submitted);
    }

    private void check(List<EngineState> engines, long submitted) throws IOException {
        for (int i = 0; i < engines.size(); i++) {
            EngineState engine = engines.get(i);
            if (engine.getOrders() - executedBefore != submitted) {
                throw new IOException("engine " + i + " executed " + (engine.getOrders() - executedBefore) + " orders, "
                        + submitted + " were committed");
            }
            if (!engine.getResultDigest().equals(engines.get(0).getResultDigest())) {
                throw new IOException("engine " + i + " differs from engine 0 at block " + engine.getLastExecuted());
            }
        }
        executedBefore = engines.get(0).getOrders();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
