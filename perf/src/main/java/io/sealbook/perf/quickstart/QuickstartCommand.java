package io.sealbook.perf.quickstart;

import io.sealbook.perf.broker.FlowBroker;
import io.sealbook.perf.broker.RunStatistics;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.cluster.WorkOptions;
import io.sealbook.perf.flow.FlowOracle;
import io.sealbook.perf.flow.OrderFlow;
import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Starts nodes and engines on 127.0.0.1, four of each by default, lets four brokers (two SM2, two secp256k1) replay an
 * order flow through them, and reports at the end whether every node holds the same result and the oracle agrees.
 */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Starts a cluster on 127.0.0.1 and replays order flow through it.")
public final class QuickstartCommand implements Callable<Integer> {
    private static final List<String> SCHEMES = List.of("sm2", "sm2", "secp256k1", "secp256k1");
    /**
     * Eight cold processes on one small machine stall longer than nodes on their own; a needless view change reorders
     * brokers.
     */
    private static final List<String> PATIENCE =
            List.of("--request-timeout-ms", "10000", "--view-change-timeout-max-ms", "20000");

    private static final Duration READY_TIMEOUT_PER_NODE = Duration.ofSeconds(60);
    private static final Duration QUIET_TIMEOUT = Duration.ofSeconds(180);
    private static final long VERDICT_TIMEOUT_MS = 120_000;
    private static final long REPORTS_QUIET_MS = 500;
    private static final double INTERACTIVE_PACE = 3_000;

    @Mixin
    private WorkOptions work;

    @Option(
            names = "--base-port",
            defaultValue = "7100",
            description = "First of ten ports per node; 0 looks for free ones.")
    private int basePort;

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, 4 to 13, each with an engine.")
    private int nodeCount;

    @Option(
            names = "--flow",
            description = "LOBSTER message file or zip, or Shanghai flow file"
                    + " (default: those below ../shared/data, else samples made from seeds).")
    private String flowFile;

    @Option(
            names = "--pace",
            defaultValue = "auto",
            description = "Orders per second of all brokers together, 0 for as fast as possible;"
                    + " auto is 3000, and 0 with --exit.")
    private String pace;

    @Option(names = "--batch", defaultValue = "30", description = "Orders in one signed batch.")
    private int batchSize;

    @Option(
            names = "--limit",
            defaultValue = "0",
            description = "Orders each broker sends at most, 0 for the whole flow.")
    private int limit;

    @Option(
            names = "--exit",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description = "End after the flow; exit code 0 only if everything was committed on all nodes with equal"
                    + " digests and the oracle agreed.")
    private boolean exits;

    @Spec
    private CommandSpec spec;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = work.home();
        List<OrderFlow> flows = QuickstartFlows.choose(root, flowFile, limit, out);
        Path workDirectory = work.directory("quickstart");
        if (nodeCount < ClusterPlan.NODES_MIN || nodeCount > ClusterPlan.NODES_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--nodes is " + nodeCount + ", expected " + ClusterPlan.NODES_MIN + ".." + ClusterPlan.NODES_MAX);
        }
        WorkDirectory.empty(workDirectory);
        ClusterPlan plan = ClusterPlan.of(
                        root,
                        workDirectory,
                        basePort == 0 ? LocalCluster.freeBasePort(nodeCount) : basePort,
                        nodeCount,
                        SCHEMES,
                        QuickstartFlows.instruments(flows))
                .withTestnetOptions(PATIENCE);
        out.println("Writing keys and genesis to " + workDirectory);
        try (LocalCluster cluster = LocalCluster.prepare(plan)) {
            out.println(
                    "Starting " + nodeCount + " nodes and as many engines; their logs are node.log and engine.log in"
                            + " node0..node" + (nodeCount - 1));
            cluster.start();
            cluster.awaitReady(READY_TIMEOUT_PER_NODE.multipliedBy(nodeCount));
            out.println("Console: " + cluster.consoleAddress(0));
            boolean isGood = runBrokers(cluster, flows);
            if (exits) {
                return isGood ? 0 : 1;
            }
            out.println(
                    "The cluster keeps running; the console is at " + cluster.consoleAddress(0) + ". Ctrl-C ends it.");
            while (true) {
                Thread.sleep(1_000);
                cluster.checkProcesses();
            }
        }
    }

    private boolean runBrokers(LocalCluster cluster, List<OrderFlow> flows) throws IOException, InterruptedException {
        RunStatistics statistics = new RunStatistics();
        List<FlowBroker> brokers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(flows.size());
        try (ProgressLine progress = new ProgressLine(cluster, statistics, out)) {
            for (int i = 0; i < flows.size(); i++) {
                brokers.add(new FlowBroker.Builder(cluster.genesis(), cluster.directory())
                        .broker(i + 1, i + 1, i % cluster.size())
                        .flow(flows.get(i), statistics)
                        .connect());
            }
            double pacePerBroker = ordersPerSecond() / flows.size();
            List<Future<?>> replays = new ArrayList<>();
            for (FlowBroker broker : brokers) {
                replays.add(threads.submit(() -> {
                    broker.replay(batchSize, pacePerBroker);
                    return null;
                }));
            }
            progress.start();
            List<String> failures = await(replays, cluster);
            progress.finish();
            return summarize(cluster, brokers, statistics, progress, failures);
        } finally {
            threads.shutdownNow();
            brokers.forEach(FlowBroker::close);
        }
    }

    private double ordersPerSecond() {
        if (pace.equals("auto")) {
            return exits ? 0 : INTERACTIVE_PACE;
        }
        try {
            return Double.parseDouble(pace);
        } catch (NumberFormatException e) {
            throw new ParameterException(spec.commandLine(), "--pace is neither a number nor auto: " + pace);
        }
    }

    private static List<String> await(List<Future<?>> replays, LocalCluster cluster)
            throws IOException, InterruptedException {
        List<String> failures = new ArrayList<>();
        for (Future<?> replay : replays) {
            while (!replay.isDone()) {
                Thread.sleep(20);
                cluster.checkProcesses();
            }
            try {
                replay.get();
            } catch (ExecutionException e) {
                failures.add(e.getCause().getMessage());
            }
        }
        return failures;
    }

    private boolean summarize(
            LocalCluster cluster,
            List<FlowBroker> brokers,
            RunStatistics statistics,
            ProgressLine progress,
            List<String> failures)
            throws IOException, InterruptedException {
        long lastBlock = brokers.stream().mapToLong(FlowBroker::lastBlock).max().orElse(0);
        List<EngineState> engines = cluster.awaitQuiet(lastBlock, QUIET_TIMEOUT);
        boolean isGood = failures.isEmpty();
        failures.forEach(failure -> out.println("FAILED: " + failure));
        for (FlowBroker broker : brokers) {
            FlowOracle.Verdict verdict = broker.awaitVerdict(VERDICT_TIMEOUT_MS, REPORTS_QUIET_MS);
            out.println("Broker " + broker.brokerId() + ", " + verdict);
            if (broker.disturbances() > 0) {
                out.println("Broker " + broker.brokerId() + " sent batches again or left its node "
                        + broker.disturbances() + " times; its order may have changed by that.");
            }
            isGood &= verdict.agrees();
        }
        boolean areEqual = engines.stream()
                .allMatch(
                        engine -> engine.getResultDigest().equals(engines.get(0).getResultDigest()));
        for (int i = 0; i < engines.size(); i++) {
            out.println("Node " + i + ": block " + engines.get(i).getLastExecuted() + ", "
                    + engines.get(i).getOrders()
                    + " orders, " + engines.get(i).getTrades() + " trades, result "
                    + ProgressLine.shortHex(engines.get(i).getResultDigest()));
        }
        out.println(areEqual ? "All result digests are equal." : "RESULT DIGESTS DIFFER.");
        boolean isComplete = statistics.committed() == statistics.submitted() && statistics.failed() == 0;
        out.println(
                statistics.committed() + " of " + statistics.submitted() + " orders committed; " + progress.summary());
        return isGood && areEqual && isComplete;
    }
}
