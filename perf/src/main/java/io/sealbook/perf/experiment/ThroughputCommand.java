package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.CommitSeries;
import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.CpuTimes;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How many orders a second does the whole platform commit and execute, and how long does a broker wait for f+1 equal receipts, at 1, 10,
 * 20 and 30 orders in a batch?
 *
 * <p>Closed loop: every broker keeps a fixed number of batches in flight. Warm-up first, then the measured run, of which the middle third
 * counts. Refuted when an engine has executed another number of orders than were committed, or when two engines differ.
 */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the whole platform at several batch sizes, beside the source paper's table 9.")
public final class ThroughputCommand implements Callable<Integer> {
    private static final Duration READY_TIMEOUT = Duration.ofSeconds(300);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(180);

    @Option(names = "--orders", split = ",", defaultValue = "1,10,20,30", description = "Orders in a batch.")
    private List<Integer> ordersPerBatch;

    @Option(names = "--seconds", defaultValue = "30", description = "Length of each measured run.")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "20", description = "Seconds of load before the first measured run.")
    private int warmUpSeconds;

    @Option(
            names = "--brokers",
            split = ",",
            defaultValue = "sm2,sm2,secp256k1,secp256k1",
            description = "A scheme for each.")
    private List<String> brokerSchemes;

    @Option(names = "--in-flight", defaultValue = "32", description = "Batches each broker keeps in flight.")
    private int inFlight;

    @Option(names = "--durability", defaultValue = "process", description = "process or disk.")
    private String durability;

    @Option(
            names = "--no-database",
            description = "Engines keep no database of orders and trades; everything else stays on.")
    private boolean isWithoutDatabase;

    @Option(names = "--profile", description = "Record one node and one engine and print where their time goes.")
    private boolean isProfiled;

    @Option(names = "--dir", description = "Work directory; emptied first (default: HOME/perf/target/throughput).")
    private Path directory;

    @Option(names = "--home", description = "Root of the source tree (default: found from the jar).")
    private Path home;

    @Option(names = "--json", description = "Also write the rows to this file.")
    private Path jsonFile;

    private final PrintStream out = System.out;
    private long[] nextClOrdIds;
    private long executedBefore;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = home != null ? home : Home.find();
        Path workDirectory = directory != null ? directory : root.resolve("perf/target/throughput");
        WorkDirectory.empty(workDirectory);
        nextClOrdIds = new long[brokerSchemes.size()];
        Arrays.fill(nextClOrdIds, 1);
        List<ThroughputRow> rows = new ArrayList<>();
        try (LocalCluster cluster = LocalCluster.prepare(plan(root, workDirectory))) {
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT);
            if (warmUpSeconds > 0) {
                out.println("Warming up for " + warmUpSeconds + " s");
                measure(cluster, ordersPerBatch.get(ordersPerBatch.size() - 1), warmUpSeconds);
            }
            for (int orders : ordersPerBatch) {
                out.println("Measuring " + orders + " orders a batch for " + seconds + " s");
                rows.add(measure(cluster, orders, seconds));
            }
        }
        ThroughputRow.print(rows, out, durability);
        if (jsonFile != null) {
            Files.writeString(jsonFile, ThroughputRow.toJson(rows, durability));
        }
        if (isProfiled) {
            Profile.print("node 0", workDirectory.resolve("node0/node.jfr"), out);
            Profile.print("engine 0", workDirectory.resolve("node0/engine.jfr"), out);
        }
        return 0;
    }

    private ClusterPlan plan(Path root, Path workDirectory) throws IOException {
        List<String> instruments = new ArrayList<>();
        for (int i = 1; i <= brokerSchemes.size(); i++) {
            instruments.add(LoadBroker.instrument(i));
        }
        ClusterPlan plan =
                ClusterPlan.ofFour(root, workDirectory, LocalCluster.freeBasePort(4), brokerSchemes, instruments);
        List<String> engineOptions = List.of(
                "--sealbook.engine.durability=" + durability,
                // A minute of load is gigabytes of reports, which nobody reads here.
                "--sealbook.engine.reports.keep-blocks=0",
                "--sealbook.engine.snapshots.every-seconds=20",
                "--sealbook.engine.database.enabled=" + !isWithoutDatabase);
        return plan.withEngineOptions(engineOptions)
                .withTestnetOptions(List.of("--node-property", "durability=" + durability))
                .withProfile(isProfiled);
    }

    private ThroughputRow measure(LocalCluster cluster, int orders, int runSeconds)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        long durationNs = Duration.ofSeconds(runSeconds).toNanos();
        CommitSeries series = new CommitSeries(startNs, durationNs);
        CpuTimes before = cluster.cpuTimes();
        List<LoadBroker> brokers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(brokerSchemes.size());
        try {
            for (int i = 0; i < brokerSchemes.size(); i++) {
                brokers.add(new LoadBroker(
                        cluster.genesis(),
                        cluster.directory(),
                        i + 1,
                        i % cluster.size(),
                        orders,
                        inFlight,
                        nextClOrdIds[i],
                        series));
            }
            List<Future<?>> runs = new ArrayList<>();
            for (LoadBroker broker : brokers) {
                runs.add(threads.submit(() -> {
                    broker.runUntil(() -> System.nanoTime() - startNs >= durationNs, 0);
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } catch (ExecutionException e) {
            cluster.checkProcesses(); // A process that ended tells more than the broker that misses it.
            throw new IOException("a broker failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            threads.shutdownNow();
            brokers.forEach(LoadBroker::close);
        }
        CpuTimes after = cluster.cpuTimes();
        long submitted = 0;
        long lastBlock = 0;
        for (int i = 0; i < brokers.size(); i++) {
            submitted += brokers.get(i).submittedOrders();
            lastBlock = Math.max(lastBlock, brokers.get(i).lastBlock());
            nextClOrdIds[i] = brokers.get(i).nextClOrdId();
        }
        check(cluster.awaitQuiet(lastBlock, QUIET_TIMEOUT), submitted);
        return ThroughputRow.of(orders, series.middleThird(), after.minus(before), submitted);
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
}
