package io.sealbook.simulator;

import io.sealbook.simulator.FrontRunning.Outcome;
import io.sealbook.simulator.FrontRunning.Setting;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what a primary gains that runs ahead of a broker, with and without fair order. */
@Command(
        name = "front-running",
        mixinStandardHelpOptions = true,
        description =
                "Counts how often a primary's broker comes before the batches that it answers, with and without fair"
                        + " order.")
final class FrontRunningCommand implements Callable<Integer> {
    private static final double NS_PER_MS = 1e6;

    @Option(names = "--runs", paramLabel = "N", description = "Clusters of each kind (default: ${DEFAULT-VALUE}).")
    private int runs = 20;

    @Option(names = "--from", paramLabel = "S", description = "The first seed (default: ${DEFAULT-VALUE}).")
    private long from = 0;

    @Option(names = "--cases", paramLabel = "N", description = "Batches of a run (default: ${DEFAULT-VALUE}).")
    private int cases = 10;

    @Option(
            names = "--hop-ms",
            paramLabel = "MS",
            description = "Time from member to member (default: ${DEFAULT-VALUE}).")
    private double hopMs = 5;

    @Option(
            names = "--clock-error-ms",
            paramLabel = "MS",
            description = "Greatest error of a member's clock (default: ${DEFAULT-VALUE}).")
    private double clockErrorMs = 0.5;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("primary        order  cases  ahead  views  messages/batch  bytes/batch");
        for (Fault fault : new Fault[] {Fault.NONE, Fault.FRONT_RUNNING}) {
            for (boolean isFair : new boolean[] {false, true}) {
                Setting setting = new Setting(
                        fault, isFair, cases, (long) (hopMs * NS_PER_MS), (long) (clockErrorMs * NS_PER_MS));
                out.println(line(setting, total(setting)));
                out.flush();
            }
        }
        return 0;
    }

    private Outcome total(Setting setting) {
        Outcome total = new Outcome(0, 0, 0, 0, 0, 0);
        for (long seed = from; seed < from + runs; seed++) {
            total = total.plus(FrontRunning.run(seed, setting));
        }
        return total;
    }

    private static String line(Setting setting, Outcome outcome) {
        return String.format(
                Locale.ROOT,
                "%-13s  %-5s  %5d  %5d  %5d  %14.1f  %11.0f",
                setting.fault() == Fault.NONE ? "correct" : "front-running",
                setting.isFair() ? "fair" : "turns",
                outcome.cases(),
                outcome.ahead(),
                outcome.views(),
                (double) outcome.acknowledgements() / outcome.batches(),
                (double) outcome.acknowledgementBytes() / outcome.batches());
    }
}
