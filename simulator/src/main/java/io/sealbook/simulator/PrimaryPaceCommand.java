package io.sealbook.simulator;

import io.sealbook.simulator.PrimaryPace.Outcome;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what a primary costs that is slow to all brokers alike, and which correct ones are replaced. */
@Command(
        name = "primary-pace",
        mixinStandardHelpOptions = true,
        description = {
            "Measures what a cluster delivers under primaries that are slow to all brokers alike.",
            "'without': the share where no primary is judged for what it leaves unused (decision 71)."
        })
final class PrimaryPaceCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    @Option(names = "--runs", paramLabel = "N", description = "Clusters of each kind (default: ${DEFAULT-VALUE}).")
    private int runs = 3;

    @Option(names = "--from", paramLabel = "S", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long from = 0;

    @Option(names = "--seconds", paramLabel = "N", description = "How long batches come (default: ${DEFAULT-VALUE}).")
    private int seconds = 30;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                "primary                                      in blocks   share  without  wait ms  longest ms  views");
        long correct = 0;
        for (PaceCase pace : PaceCase.values()) {
            Outcome total = total(pace);
            long without = withoutTheRule(pace);
            correct = pace == PaceCase.CORRECT ? total.inBlocks() : correct;
            out.println(String.format(
                    Locale.ROOT,
                    "%-43s  %9d  %5.1f%%  %6.1f%%  %7.0f  %10.0f  %5d",
                    pace.words,
                    total.inBlocks(),
                    100.0 * total.inBlocks() / correct,
                    100.0 * without / correct,
                    total.waitNs() / NS_PER_MS / total.handedIn(),
                    total.waitMaxNs() / NS_PER_MS,
                    total.views()));
            out.flush();
        }
        return 0;
    }

    private Outcome total(PaceCase pace) {
        Outcome total = new Outcome(0, 0, 0, 0, 0, 0);
        for (long seed = from; seed < from + runs; seed++) {
            total = total.plus(PrimaryPace.run(seed, pace, seconds * NS_PER_SECOND));
        }
        return total;
    }

    private long withoutTheRule(PaceCase pace) {
        long inBlocks = 0;
        for (long seed = from; seed < from + runs; seed++) {
            inBlocks += PrimaryPace.inBlocksWithoutTheRule(seed, pace, seconds * NS_PER_SECOND);
        }
        return inBlocks;
    }
}
