package io.sealbook.simulator;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes a failing run simpler. Exit code 1 and the simpler run if the seed fails, 0 if it does not. */
@Command(
        name = "shrink",
        mixinStandardHelpOptions = true,
        description = "Makes a failing run simpler while it fails in the same way, and prints its end.")
final class ShrinkCommand implements Callable<Integer> {
    @Option(names = "--seed", paramLabel = "S", required = true, description = "The seed that fails.")
    private long seed;

    @Option(
            names = "--tries",
            paramLabel = "N",
            description = "Seeds that are tried for each change (default: ${DEFAULT-VALUE}).")
    private int tries = 12;

    @Option(
            names = "--lines",
            paramLabel = "N",
            description = "Lines of the simpler run's trace that are printed (default: ${DEFAULT-VALUE}).")
    private int lines = 60;

    @Mixin
    private ScenarioOptions scenarios = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Shrinking shrinking = new Shrinking(scenarios::of, scenario -> new Simulation(scenario, null), tries, line -> {
            out.println("fails too: " + line);
            out.flush();
        });
        Optional<Shrinking.Failing> simplest = shrinking.shrink(seed, scenarios.changes());
        if (simplest.isEmpty()) {
            out.println("seed " + seed + " does not fail");
            out.flush();
            return 0;
        }
        Shrinking.Failing failing = simplest.get();
        trace(scenarios.of(failing.seed(), failing.changes())).forEach(out::println);
        out.println("FAILED " + failing.failure().getMessage());
        out.println("repeat with: " + scenarios.command(failing.seed(), failing.changes()));
        out.flush();
        return 1;
    }

    /** Returns the last lines of what the nodes of a failing run say. */
    private ArrayDeque<String> trace(Scenario scenario) {
        ArrayDeque<String> last = new ArrayDeque<>();
        try {
            new Simulation(scenario, line -> {
                        last.add(line);
                        if (last.size() > lines) {
                            last.remove();
                        }
                    })
                    .run();
        } catch (SimulationFailure e) {
            // It is printed after the trace.
        }
        return last;
    }
}
