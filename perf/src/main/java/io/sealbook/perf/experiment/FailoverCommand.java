package io.sealbook.perf.experiment;

import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * How long is a cluster under load without a primary after the primary's process was killed, or stands still? Measured
 * is the time from the signal to the next receipt, at f+1 nodes, that any broker gets after the interruption.
 *
 * <p>Refuted when a batch is lost, the cluster goes on without a view change, or an engine has not executed each order
 * once, with the result of the others.
 */
@Command(
        name = "failover",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Kills or stops the primary of a cluster under load and measures the time to the next committed block.")
public final class FailoverCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;
    /** The load has its rate from --batches and lasts as long as the runs take; members are linked directly. */
    private static final List<String> UNUSED = List.of(
            "--seconds", "--open-loop", "--rate-min", "--link-delay", "--member-bandwidth", "--fill-page-cache");

    @Option(names = "--runs", defaultValue = "10", description = "How often the primary is lost.")
    private int runs;

    @Option(
            names = "--fault",
            defaultValue = "KILL",
            description = "What happens to the primary's process, one of ${COMPLETION-CANDIDATES}: SIGKILL closes its"
                    + " connections; SIGSTOP keeps them, as a machine that is gone does.")
    private PrimaryFault fault;

    @Option(names = "--orders", defaultValue = "30", description = "Orders in a batch.")
    private int orders;

    @Option(
            names = "--batches",
            defaultValue = "100",
            description = "Batches per second that all brokers together send at fixed times.")
    private int batchesPerSecond;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec command;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws Exception {
        if (runs < 1 || orders < 1 || batchesPerSecond < 1) {
            throw new ParameterException(command.commandLine(), "--runs, --orders and --batches are at least 1");
        }
        load.refuse("has no effect on fail-overs", UNUSED);
        load.hearNoReports();
        List<Double> pausesMs = new ArrayList<>();
        boolean isTrained;
        FailoverCluster.Held held;
        try (FailoverCluster cluster = FailoverCluster.start(load, orders, batchesPerSecond)) {
            isTrained = cluster.isTrained();
            out.printf("%6s%10s%8s%12s%n", "run", "lost", "view", "ms");
            for (int run = 1; run <= runs; run++) {
                FailoverCluster.Failover failover = cluster.failOver(fault);
                pausesMs.add(failover.pauseNs() / NS_PER_MS);
                out.printf(
                        Locale.ROOT,
                        "%6d%10s%8d%12.1f%n",
                        run,
                        "node " + failover.lostNode(),
                        failover.view(),
                        failover.pauseNs() / NS_PER_MS);
            }
            held = cluster.settle();
        }
        String check = String.format(
                Locale.ROOT,
                "Each engine executed all %,d orders once, refused none, results are equal.",
                held.orders());
        out.println(check);
        out.printf(
                Locale.ROOT,
                "Brokers submitted %,.1f batches/s, %,d were intended.%n",
                held.batchesPerSecond(),
                batchesPerSecond);
        double[] sorted =
                pausesMs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        out.printf(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, worst of %d %.1f ms%n",
                percentile(sorted, 50),
                percentile(sorted, 99),
                runs,
                percentile(sorted, 100));
        resultFile.write("Fail-over", load.home(), notes(isTrained, check), List.of(row(sorted, held)));
        return 0;
    }

    private ResultRow row(double[] sorted, FailoverCluster.Held held) {
        return ResultRow.of(fault.signal + " of the primary to the next committed block")
                .with(Figure.NODES, load.nodeCount)
                .with(Figure.BATCHES_PER_SECOND, held.batchesPerSecond())
                .with(Figure.ORDERS_PER_BATCH, orders)
                .with(Figure.P50_MS, percentile(sorted, 50))
                .with(Figure.P99_MS, percentile(sorted, 99))
                .with(Figure.WORST_MS, percentile(sorted, 100));
    }

    /** The nearest rank: a value that was measured. */
    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.ceilDiv(sorted.length * percent, 100) - 1];
    }

    private List<String> notes(boolean isTrained, String check) {
        return List.of(
                "Open loop of " + batchesPerSecond + " batches/s (the figure is what was submitted) of " + orders
                        + " orders by "
                        + load.brokerSchemes.size() + " brokers; durability class " + load.durability
                        + "; unencrypted connections on one machine; virtual machines started "
                        + (isTrained ? "trained" : "untrained") + ", " + load.warmUpSeconds + " s of warm-up.",
                runs + " times the primary's process " + fault.course
                        + "; the time counts to the first receipt at f + 1 nodes after the longest interval without"
                        + " one.",
                check);
    }
}
