package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.results.ResultFile;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What does a cluster cost that has little to do, and how long does a batch take that comes alone? Measured are
 * wake-ups of threads, system calls, processor time, and the latencies of receipts and reports: without load, and at
 * rates at which most batches are alone.
 *
 * <p>Refuted as {@code throughput} is: when an engine has executed another number of orders than were committed,
 * engines differ, or an order gets no report. Fails if the brokers did not keep the rate.
 */
@Command(
        name = "idle",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures wake-ups, processor time and latency of a cluster that has little to do.")
public final class IdleCommand implements Callable<Integer> {
    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "0,10,100",
            description = "Batches per second that all brokers together send at fixed times; 0: none.")
    private List<Integer> rates;

    @Option(names = "--orders", defaultValue = "30", description = "Orders in a batch.")
    private int orders;

    @Option(names = "--threads", defaultValue = "0", description = "Also print this number of threads that wake most.")
    private int threadCount;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec command;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (orders < 1 || load.seconds < 1 || rates.stream().anyMatch(rate -> rate < 0)) {
            throw new ParameterException(
                    command.commandLine(), "--orders and --seconds are at least 1, --rates are at least 0");
        }
        load.refuse("has no effect on idle: --rates are the open loops", List.of("--open-loop"));
        load.hasOtherRates = true;
        List<QuietRow> rows = new ArrayList<>();
        boolean isTrained;
        try (LoadedCluster cluster = LoadedCluster.start(load, Recording.NONE, List.of())) {
            isTrained = cluster.isTrained();
            out.println(cluster.describeStart());
            if (load.warmUpSeconds > 0) {
                out.println("Warming up for " + load.warmUpSeconds + " s");
                cluster.warmUp(orders, load.warmUpSeconds);
            }
            for (int rate : rates) {
                out.println("Measuring " + rate + " batches/s for " + load.seconds + " s");
                QuietRow row = cluster.measureQuiet(orders, rate, load.seconds);
                load.rate.check(row.submittedPerSecond(), rate, "batches");
                rows.add(row);
            }
        }
        QuietRow.print(rows, threadCount, out);
        resultFile.write(
                "A cluster that has little to do",
                load.home(),
                notes(isTrained),
                rows.stream().map(QuietRow::toResult).toList());
        return 0;
    }

    private List<String> notes(boolean isTrained) {
        List<String> notes = new ArrayList<>(load.notes("Open loop at the rate that names each row", isTrained));
        notes.add("Batches per second are those that brokers have submitted; figures per batch are per one of them.");
        notes.add("Wake-ups, calls, frames and processor time are those of all " + load.seconds
                + " s; of latencies the middle third counts.");
        return notes;
    }
}
