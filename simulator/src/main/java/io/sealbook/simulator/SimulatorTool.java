package io.sealbook.simulator;

import io.sealbook.simulator.mutation.MutantsCommand;
import io.sealbook.vocabulary.ProductVersion;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs seeds. Exit code 0 if every run kept the invariants and recovered, 1 and the failing seed otherwise. */
@Command(
        name = "simulator",
        mixinStandardHelpOptions = true,
        versionProvider = SimulatorTool.Version.class,
        subcommands = {
            SwarmCommand.class,
            ShrinkCommand.class,
            MutantsCommand.class,
            FrontRunningCommand.class,
            PrimaryPaceCommand.class
        },
        description =
                "Runs clusters of real nodes on a virtual clock, network and disk, with faults decided by a seed.")
public final class SimulatorTool implements Callable<Integer> {
    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds to run (default: ${DEFAULT-VALUE}).")
    private int seeds = 500;

    @Option(names = "--from", paramLabel = "S", description = "The first of them (default: ${DEFAULT-VALUE}).")
    private long from = 0;

    @Option(names = "--seed", paramLabel = "S", description = "Runs this seed only.")
    private Long seed;

    @Option(names = "--trace", description = "Prints what every node says and reports.")
    private boolean isTraced;

    @Option(names = "--coverage", description = "Prints how many seeds reached each branch of the protocol.")
    private boolean isCovered;

    @Mixin
    private ScenarioOptions scenarios = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new SimulatorTool()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long first = seed != null ? seed : from;
        int count = seed != null ? 1 : seeds;
        Consumer<String> tracer = isTraced ? out::println : null;
        long startNs = System.nanoTime();
        RunTotals totals = new RunTotals();
        Coverage coverage = new Coverage();
        for (long next = first; next < first + count; next++) {
            try {
                totals.add(run(next, tracer, coverage));
            } catch (SimulationFailure e) {
                out.println("FAILED " + e.getMessage());
                out.println("repeat with: " + scenarios.command(next));
                out.flush();
                return 1;
            }
        }
        if (isCovered) {
            coverage.lines().forEach(out::println);
        }
        out.println(totals.text("from " + first, (System.nanoTime() - startNs) / 1e9));
        out.flush();
        return 0;
    }

    private Simulation.Result run(long next, Consumer<String> tracer, Coverage coverage) {
        if (!isCovered) {
            return new Simulation(scenarios.of(next), tracer).run();
        }
        CoverageOfRun run = new CoverageOfRun();
        Simulation.Result result = new Simulation(scenarios.of(next), tracer, run).run();
        coverage.add(run);
        return result;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"simulator " + ProductVersion.text()};
        }
    }
}
