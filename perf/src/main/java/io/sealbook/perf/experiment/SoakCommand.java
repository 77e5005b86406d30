package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
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
 * Does anything grow while the work stays the same? A cluster under an open loop is stopped for a look at regular
 * times: reachable heap, memory of the system, descriptors, threads, files.
 *
 * <p>Refuted when one of them grows beyond its bound between the reading after a third of the time and the last one,
 * and as {@code throughput} is. Fails if the brokers did not keep the rate.
 */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Keeps a cluster under load for long and fails if memory, descriptors, threads or files grow."
                + " Without --open-loop it is 5,000 orders per second. --minutes and --readings take the place of"
                + " --seconds.")
public final class SoakCommand implements Callable<Integer> {
    private static final int SECONDS_PER_MINUTE = 60;
    private static final int READINGS_MIN = 3;
    /** Two cores keep up with it beside other work, and an hour of it takes a few GB of disk. */
    private static final int DEFAULT_RATE = 5_000;

    @Option(names = "--minutes", defaultValue = "60", description = "Length of the load.")
    private int minutes;

    @Option(
            names = "--readings",
            defaultValue = "12",
            description = "How often to look, at equal intervals, at least " + READINGS_MIN + ".")
    private int readingCount;

    @Option(names = "--orders", defaultValue = "30", description = "Orders in a batch.")
    private int orders;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec command;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (minutes < 1 || orders < 1 || readingCount < READINGS_MIN) {
            throw new ParameterException(
                    command.commandLine(),
                    "--minutes and --orders are at least 1, --readings are at least " + READINGS_MIN);
        }
        load.refuse("has no effect on soak: --minutes and --readings decide it", List.of("--seconds"));
        if (!load.isOpenLoop()) {
            load.openLoopRate = DEFAULT_RATE;
        }
        load.seconds = Math.max(1, minutes * SECONDS_PER_MINUTE / readingCount);
        List<SoakReading> readings = new ArrayList<>();
        List<ResultRow> lines = new ArrayList<>();
        boolean isTrained;
        try (LoadedCluster cluster = LoadedCluster.start(load, Recording.NONE, List.of())) {
            isTrained = cluster.isTrained();
            out.println(cluster.describeStart());
            if (load.warmUpSeconds > 0) {
                out.println("Warming up for " + load.warmUpSeconds + " s");
                cluster.warmUp(orders, load.warmUpSeconds);
            }
            out.printf(
                    Locale.ROOT,
                    "Load of %,.0f orders/s for %d minutes, with a look every %d s%n",
                    load.openLoopRate,
                    minutes,
                    load.seconds);
            for (int i = 1; i <= readingCount; i++) {
                ThroughputRow row = cluster.measure(orders, load.seconds);
                SoakReading reading = cluster.read();
                readings.add(reading);
                String label = "after " + i * load.seconds + " s";
                lines.add(reading.addTo(row.toResult(label)));
                out.printf(
                        Locale.ROOT,
                        "%s: %,.0f orders/s, to report p50 %.1f ms, p99 %.1f ms; %s%n",
                        label,
                        row.ordersPerSecond(),
                        row.reportP50Ms(),
                        row.reportP99Ms(),
                        reading.describe());
            }
        }
        resultFile.write("A long run: what the members hold", load.home(), notes(isTrained), lines);
        List<String> faults = readings.getLast().growthBeyondBounds(readings.get((readingCount - 1) / 3));
        if (!faults.isEmpty()) {
            throw new IOException("what should not grow has grown\n  " + String.join("\n  ", faults));
        }
        out.println("Nothing has grown beyond its bound since a third of the time");
        return 0;
    }

    private List<String> notes(boolean isTrained) {
        List<String> notes = new ArrayList<>(load.notes(isTrained));
        notes.add("Heap, memory, descriptors, threads and files are sums of all members while nothing is on its way,"
                + " the heap after a collection. Archives keep every block.");
        return notes;
    }
}
