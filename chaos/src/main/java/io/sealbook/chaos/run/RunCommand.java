package io.sealbook.chaos.run;

import io.sealbook.chaos.fault.FaultDraw;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.liar.Lie;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.NodeShape;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Does the platform keep its promises while its processes are killed and stopped? Refuted when one order that a broker
 * has a receipt of is not executed once at its place in every archive, or when no order is committed after the faults.
 */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Runs a cluster and brokers as processes on 127.0.0.1, injects faults, and audits the end."
                + " Exit code 0 if every promise was kept, 1 if one was broken, and the files of the run stay as"
                + " evidence; 1 also if no fault has taken effect.")
public final class RunCommand implements Callable<Integer> {
    /** In which processes a member runs. */
    enum Shape {
        REPLICA,
        SPLIT
    }

    @Option(names = "--seed", defaultValue = "1", description = "Decides faults and orders, not their times.")
    private long seed;

    @Option(names = "--minutes", defaultValue = "10", description = "Time of the faults, in minutes; may be 0.5.")
    private double minutes;

    @Option(
            names = "--fault-limit",
            defaultValue = "1000000",
            description = "Ends the faults after this number; 0: a run without faults.")
    private int faultLimit;

    @Option(
            names = "--shape",
            defaultValue = "split",
            description = "replica: node and engine in one process; split: a process for each.")
    private Shape shape;

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, 4 to 13.")
    private int nodes;

    @Option(names = "--brokers", defaultValue = "3", description = "Brokers, each a process.")
    private int brokers;

    @Option(names = "--pause-ms", defaultValue = "40", description = "Time between two batches of a broker, ms.")
    private long pauseMs;

    @Option(
            names = "--faults",
            split = ",",
            description = "Kinds of faults, separated by commas (default: all): ${COMPLETION-CANDIDATES}.")
    private List<FaultKind> faults = List.of(FaultKind.values());

    @Option(
            names = "--lies",
            split = ",",
            description = "What member 0 does in faults of kind byzantine, in turn (default: all):"
                    + " ${COMPLETION-CANDIDATES}.")
    private List<Lie> lies = List.of(Lie.values());

    @Option(
            names = "--lie-seconds",
            defaultValue = "0",
            description = "How long it tells each of them; 0: as long as the seed decides.")
    private int lieSeconds;

    @Option(names = "--calm-seconds", defaultValue = "10", description = "Load without faults, before and after them.")
    private int calmSeconds;

    @Option(
            names = "--dir",
            description = "Directory of the run, emptied first (default: HOME/chaos/target/runs/SHAPE-SEED).")
    private Path directory;

    @Option(names = "--home", description = "Root of the source tree (default: found from the jar).")
    private Path home;

    @Spec
    private CommandSpec spec;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (nodes < ClusterPlan.NODES_MIN || nodes > ClusterPlan.NODES_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--nodes is " + nodes + ", expected " + ClusterPlan.NODES_MIN + ".." + ClusterPlan.NODES_MAX);
        }
        if (brokers < 1 || minutes < 0 || pauseMs < 1 || calmSeconds < 0 || lieSeconds < 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--brokers and --pause-ms are at least 1, --minutes, --calm-seconds and --lie-seconds 0");
        }
        List<FaultKind> kinds = FaultDraw.possible(faults);
        if (kinds.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "this machine can inject none of " + faults);
        }
        if (kinds.size() < faults.size()) {
            out.println("Left out, because prlimit is not there: DISK");
        }
        Path root = home != null ? home : Home.find();
        String name = shape.name().toLowerCase(Locale.ROOT) + "-" + seed;
        RunPlan plan = new RunPlan(
                root,
                directory != null
                        ? directory
                        : root.resolve("chaos/target/runs").resolve(name),
                seed,
                Math.round(minutes * 60_000),
                faultLimit,
                calmSeconds * 1_000L,
                shape == Shape.REPLICA ? NodeShape.REPLICA : NodeShape.SPLIT,
                nodes,
                brokers,
                pauseMs,
                kinds,
                lies,
                lieSeconds * 1_000L);
        RunReport report = new ChaosRun(plan, out).run();
        report.print(out);
        out.println("Report: " + report.write(plan.directory()));
        return report.isClean() ? 0 : 1;
    }
}
