package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.broker.LoadRun;
import io.sealbook.perf.broker.Pace;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.cluster.ClusterPorts;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.cluster.ExecutionCheck;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.MeterReadings;
import io.sealbook.perf.cluster.PageCache;
import io.sealbook.perf.cluster.ProcessCounts;
import io.sealbook.perf.cluster.ProcessFootprint;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.proxy.MemberProxy;
import io.sealbook.perf.proxy.ProxiedMembers;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EngineState;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * A local cluster under load, and its brokers, who stay connected from run to run. Each measurement ends with a check:
 * every engine must have executed as many orders as were committed, refused none, traded, and come to the same result;
 * every order must have its report, and a database that is on must have kept up.
 */
final class LoadedCluster implements AutoCloseable {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(180);
    private static final Duration FILL_STEP = Duration.ofSeconds(1);
    private static final long LIGHT_LOAD_PAUSE_MS = 4;
    private static final long LOOK_MS = 50;
    /** A broker that lags resumes from them. */
    private static final int KEPT_REPORT_BLOCKS = 10_000;

    private final LoadOptions load;
    private final LocalCluster cluster;
    private final Closeable filling;
    private final Optional<MemberProxy> proxy;
    private final List<LoadBroker> brokers;
    private final ExecutionCheck execution = new ExecutionCheck();

    private LoadedCluster(
            LoadOptions load,
            LocalCluster cluster,
            Closeable filling,
            Optional<MemberProxy> proxy,
            List<LoadBroker> brokers) {
        this.load = load;
        this.cluster = cluster;
        this.filling = filling;
        this.proxy = proxy;
        this.brokers = brokers;
    }

    /**
     * Starts a new cluster and waits until it takes orders.
     *
     * @param testnetOptions added to those that the load asks for
     */
    static LoadedCluster start(LoadOptions load, Recording recording, List<String> testnetOptions)
            throws IOException, InterruptedException {
        return start(load, plan(load, testnetOptions).withRecording(recording));
    }

    /**
     * Does what {@link #start} does, in a directory of its own: several clusters may run at the same time.
     *
     * @param load on the cluster
     * @param directory of the cluster; emptied first
     * @param testnetOptions added to those that the load asks for
     */
    static LoadedCluster startIn(LoadOptions load, Path directory, List<String> testnetOptions)
            throws IOException, InterruptedException {
        return start(load, plan(load, directory, testnetOptions));
    }

    /**
     * Does what {@link #start} does, with a plan that {@link #plan} has made for this load.
     *
     * @param load on the cluster; it asks for no reports if nodes run engines inside themselves
     * @param plan of the cluster; its directory is emptied first
     */
    static LoadedCluster start(LoadOptions load, ClusterPlan plan) throws IOException, InterruptedException {
        WorkDirectory.empty(plan.directory());
        Closeable filling = load.fillsPageCache ? PageCache.fill(plan.directory()) : () -> {};
        LocalCluster cluster = LocalCluster.prepare(plan);
        List<LoadBroker> brokers = new ArrayList<>();
        LoadedCluster loaded = new LoadedCluster(load, cluster, filling, proxy(load, cluster), brokers);
        try {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            for (int brokerId = 1; brokerId <= load.brokerSchemes.size(); brokerId++) {
                brokers.add(new LoadBroker(
                        cluster.genesis(),
                        cluster.directory(),
                        load.market(),
                        brokerId,
                        load.inFlight,
                        load.hearsReports()));
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            loaded.close();
            throw e;
        }
        return loaded;
    }

    private static Optional<MemberProxy> proxy(LoadOptions load, LocalCluster cluster) throws IOException {
        if (!load.links.areProxied()) {
            return Optional.empty();
        }
        ProxiedMembers.move(cluster.directory(), cluster.size());
        return Optional.of(MemberProxy.start(cluster.genesis().genesis(), load.links.table(cluster.size())));
    }

    /** Returns the cluster that the options describe. */
    static ClusterPlan plan(LoadOptions load, List<String> testnetOptions) throws IOException {
        return plan(load, load.directory(), testnetOptions);
    }

    private static ClusterPlan plan(LoadOptions load, Path directory, List<String> testnetOptions) throws IOException {
        load.refuseContradictions();
        List<String> engineOptions = List.of(
                "--sealbook.engine.durability=" + load.durability,
                // A minute of load is millions of reports, which are not read again.
                "--sealbook.engine.reports.keep-blocks=" + (load.hearsReports() ? KEPT_REPORT_BLOCKS : 0),
                "--sealbook.engine.snapshots.every-seconds=20",
                "--sealbook.engine.database.enabled=" + load.hasDatabase);
        List<String> options = new ArrayList<>(List.of("--node-property", "durability=" + load.durability));
        options.addAll(load.testnetOptions());
        options.addAll(testnetOptions);
        return ClusterPlan.of(
                        load.home(),
                        directory,
                        LocalCluster.freeBasePort(load.nodeCount),
                        load.nodeCount,
                        load.brokerSchemes,
                        load.market().instruments())
                .withShape(load.shape())
                .withOtherHome(load.otherHome())
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
     * the full one would leave them little; then the full load, to which they adapt, for as long as the books need to
     * fill.
     */
    void warmUp(int orders, int seconds) throws IOException, InterruptedException {
        Duration light = Duration.ofSeconds(seconds / 2);
        Duration full = Duration.ofSeconds(seconds).minus(light);
        if (!light.isZero()) {
            run(orders, light, closedLoop(LIGHT_LOAD_PAUSE_MS), 0);
        }
        if (!full.isZero()) {
            run(orders, full, closedLoop(0), 0);
        }
        while (!brokers.stream().allMatch(LoadBroker::isBookFull)) {
            run(orders, FILL_STEP, closedLoop(0), 0);
        }
    }

    /**
     * Puts load on the cluster and returns the figures of the run's middle third.
     *
     * @param orders orders in a batch
     * @param seconds length of the run
     * @throws IOException if an order or a report was lost, an order was refused, nothing was traded, an engine
     *     differs, a database fell behind, a process ended, or brokers did not keep the rate of an open loop
     */
    ThroughputRow measure(int orders, int seconds) throws IOException, InterruptedException {
        LongFunction<List<Pace>> paces = load.isOpenLoop() ? openLoop(load.openLoopRate / orders) : closedLoop(0);
        ThroughputRow row = run(orders, Duration.ofSeconds(seconds), paces, load.openLoopRate);
        load.rate.check(row.submittedPerSecond(), row.intendedPerSecond(), "orders");
        return row;
    }

    /**
     * Returns what the cluster does while it has little to do. Nothing else asks the members meanwhile.
     *
     * @param orders orders in a batch
     * @param batchesPerSecond of all brokers together, at fixed times; 0: none
     * @param seconds length of the run
     * @throws IOException as {@link #measure}
     */
    QuietRow measureQuiet(int orders, int batchesPerSecond, int seconds) throws IOException, InterruptedException {
        long submittedBefore = submittedOrders();
        Duration duration = Duration.ofSeconds(seconds);
        CpuTimes cpuBefore = cluster.cpuTimes();
        ProcessCounts membersBefore = ProcessCounts.of(cluster.pids());
        ProcessCounts brokersBefore =
                ProcessCounts.of(List.of(ProcessHandle.current().pid()));
        double framesBefore = framesSent();
        LoadRun run = LoadRun.begin(orders, duration);
        if (batchesPerSecond == 0) {
            Thread.sleep(duration.toMillis());
        } else {
            submit(run, openLoop(batchesPerSecond).apply(run.startNs()));
        }
        QuietRow row = new QuietRow(
                orders,
                batchesPerSecond,
                (submittedOrders() - submittedBefore) / orders,
                (System.nanoTime() - run.startNs()) / 1e9,
                ProcessCounts.of(cluster.pids()).minus(membersBefore),
                ProcessCounts.of(List.of(ProcessHandle.current().pid())).minus(brokersBefore),
                framesSent() - framesBefore,
                cluster.cpuTimes().minus(cpuBefore),
                batchesPerSecond == 0 ? null : run);
        check(submittedOrders() - submittedBefore);
        return row;
    }

    /** Returns how many frames the nodes have sent each other so far: votes, batches, heartbeats. */
    private double framesSent() throws IOException, InterruptedException {
        double sum = 0;
        try (HttpClient client = cluster.operatorClient()) {
            for (URI node : new ClusterPorts(cluster.genesis(), cluster.hasTls()).metricsAddresses()) {
                MeterReadings readings = MeterReadings.scrape(client, node);
                for (String role : List.of("vote", "payload")) {
                    sum += readings.of("sealbook_peer_frames_total{direction=\"out\",role=\"" + role + "\"}");
                }
            }
        }
        return sum;
    }

    /** Returns the pace of each broker, by the start of the run, if all of them together send at this rate. */
    private LongFunction<List<Pace>> openLoop(double batchesPerSecond) {
        double intervalNs = 1e9 * brokers.size() / batchesPerSecond;
        return startNs -> IntStream.range(0, brokers.size())
                .mapToObj(i -> Pace.openLoop(startNs + (long) (intervalNs * i / brokers.size()), intervalNs))
                .toList();
    }

    private LongFunction<List<Pace>> closedLoop(long pauseMs) {
        return startNs -> Collections.nCopies(brokers.size(), Pace.closedLoop(pauseMs));
    }

    /** Puts load on the cluster at a pace that is to give these orders per second, 0 in a closed loop. */
    private ThroughputRow run(int orders, Duration duration, LongFunction<List<Pace>> paces, double intendedPerSecond)
            throws IOException, InterruptedException {
        long submittedBefore = submittedOrders();
        long blockBefore = lastBlock();
        CpuTimes before = cluster.cpuTimes();
        List<Double> nodesBefore = cluster.nodeSeconds();
        LoadRun run = LoadRun.begin(orders, duration);
        BlockPhases phases = submit(run, paces.apply(run.startNs()), duration);
        CpuTimes cpu = cluster.cpuTimes().minus(before);
        List<Double> nodesAfter = cluster.nodeSeconds();
        double cpuSeconds = (System.nanoTime() - run.startNs()) / 1e9;
        Lag lag = Lag.of(cluster, brokers, load.hasDatabase);
        long submitted = submittedOrders() - submittedBefore;
        check(submitted);
        lag.checkDatabase(lastBlock() - blockBefore);
        return ThroughputRow.of(
                run,
                intendedPerSecond,
                phases,
                cpu,
                microsByNode(nodesBefore, nodesAfter, submitted),
                cpuSeconds,
                submitted,
                lag,
                RateSeries.of(run, load.seriesSeconds));
    }

    private static List<Double> microsByNode(List<Double> before, List<Double> after, long orders) {
        return IntStream.range(0, before.size())
                .mapToObj(node -> (after.get(node) - before.get(node)) * 1e6 / orders)
                .toList();
    }

    private BlockPhases submit(LoadRun run, List<Pace> paces, Duration duration)
            throws IOException, InterruptedException {
        MeterWindow meters = new MeterWindow(
                cluster.operatorClient(),
                new ClusterPorts(cluster.genesis(), cluster.hasTls()).metricsAddresses(),
                duration.toNanos());
        try (meters) {
            submit(run, paces);
            return meters.phases();
        }
    }

    private void submit(LoadRun run, List<Pace> paces) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(brokers.size());
        try {
            List<Future<?>> submissions = new ArrayList<>();
            for (int i = 0; i < brokers.size(); i++) {
                LoadBroker broker = brokers.get(i);
                Pace pace = paces.get(i);
                submissions.add(threads.submit(() -> {
                    broker.submit(run, pace);
                    return null;
                }));
            }
            for (Future<?> submission : submissions) {
                while (!submission.isDone()) {
                    Thread.sleep(LOOK_MS);
                    // Brokers wait for a member that comes back; one that has ended by itself does not.
                    cluster.checkProcesses();
                }
                submission.get();
            }
        } catch (ExecutionException e) {
            cluster.checkProcesses(); // A process that ended explains more than the broker that misses it.
            throw new IOException("a broker failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Waits until nothing is on its way, and checks what became of the orders of a run. */
    private void check(long submitted) throws IOException, InterruptedException {
        // Engines of an experiment report no trades.
        boolean mustTrade = cluster.hasTrades() && load.market().mustTrade(submitted);
        execution.check(cluster.awaitQuiet(lastBlock(), QUIET_TIMEOUT), submitted, mustTrade);
        awaitReports();
        brokers.forEach(LoadBroker::check);
    }

    /** Waits until every order has its report. */
    private void awaitReports() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + QUIET_TIMEOUT.toNanos();
        while (missingReports() > 0) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException(
                        missingReports() + " orders have no report " + QUIET_TIMEOUT.toSeconds() + " s after the load");
            }
            Thread.sleep(10);
        }
    }

    private long submittedOrders() {
        return brokers.stream().mapToLong(LoadBroker::submittedOrders).sum();
    }

    private long missingReports() {
        return brokers.stream().mapToLong(LoadBroker::missingReports).sum();
    }

    private long lastBlock() {
        return brokers.stream().mapToLong(LoadBroker::lastBlock).max().orElse(0);
    }

    /**
     * Returns what the members hold now; comes between two measurements.
     *
     * @throws IOException if one does not answer
     */
    SoakReading read() throws IOException, InterruptedException {
        Map<String, Long> archives = new TreeMap<>();
        Map<String, Long> others = new TreeMap<>();
        for (int i = 0; i < cluster.size(); i++) {
            String member = "node" + i;
            Path files = directory().resolve(member);
            long archive = ProcessFootprint.bytesBelow(files.resolve("archive"));
            archives.put(member, archive);
            others.put(member, ProcessFootprint.bytesBelow(files) - archive);
        }
        return new SoakReading(reached().getOrders(), cluster.footprints(), archives, others);
    }

    /** Returns what all engines have come to after the last measurement. */
    EngineState reached() {
        return execution.reached();
    }

    GenesisFile genesis() {
        return cluster.genesis();
    }

    @Override
    public void close() {
        brokers.forEach(LoadBroker::close);
        cluster.close();
        proxy.ifPresent(MemberProxy::close);
        try {
            filling.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
