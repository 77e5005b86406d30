package io.sealbook.simulator;

import io.sealbook.vocabulary.ProductVersion;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs seeds. Exit code 0 if every run kept the invariants and recovered, 1 and the failing seed otherwise. */
@Command(
        name = "simulator",
        mixinStandardHelpOptions = true,
        versionProvider = SimulatorTool.Version.class,
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

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulatorTool()).execute(args));
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        long first = seed != null ? seed : from;
        int count = seed != null ? 1 : seeds;
        Consumer<String> tracer = isTraced ? out::println : null;
        long startNs = System.nanoTime();
        long events = 0;
        long blocks = 0;
        long views = 0;
        long crashes = 0;
        long transfers = 0;
        for (long next = first; next < first + count; next++) {
            try {
                Simulation.Result result = new Simulation(Scenario.of(next), tracer).run();
                events += result.events();
                blocks += result.blocks();
                views += result.views();
                crashes += result.crashes();
                transfers += result.transfers();
            } catch (SimulationFailure e) {
                out.println("FAILED " + e.getMessage());
                out.println("repeat with: --seed " + next + " --trace");
                out.flush();
                return 1;
            }
        }
        double seconds = (System.nanoTime() - startNs) / 1e9;
        out.printf(
                "%d seeds from %d: %d events, %d blocks, %d view changes, %d crashes, %d transfers; "
                        + "%.1f s, %.0f seeds per core-hour%n",
                count, first, events, blocks, views, crashes, transfers, seconds, count * 3_600 / seconds);
        out.flush();
        return 0;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"simulator " + ProductVersion.text()};
        }
    }
}
