package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.cluster.WorkDirectory;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
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
 * What is each of the design's accelerations worth? Each is switched off alone, on a separate cluster, and compared
 * with everything on, which is measured first and last: the difference of those two is the noise of this machine. Where
 * that noise is too large, {@code --turns} compares few of them often, on clusters that all run at the same time.
 *
 * <p>Processor time per order distinguishes more than orders per second if all processes share a few cores.
 */
@Command(
        name = "ablation",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Switches each acceleration off in turn and measures the whole platform without it.")
public final class AblationCommand implements Callable<Integer> {
    @Option(names = "--orders", defaultValue = "30", description = "Orders in a batch.")
    private int ordersPerBatch;

    @Option(
            names = "--without",
            split = ",",
            description =
                    "Only these: ${COMPLETION-CANDIDATES} (default: each that has an effect with --shape, in turn,"
                            + " ALL_ON first and last).")
    private List<AblationVariant> variants;

    @Option(
            names = "--turns",
            defaultValue = "1",
            description = {
                "Turns in which each that --without names is measured once. All clusters run at the same time.",
                "The ratio is the median of those to the first one in the same turn. An even number is fair to both.",
                "1: one cluster after the other."
            })
    private int turns;

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (turns < 1 || turns > 1 && variants == null) {
            throw new ParameterException(
                    spec.commandLine(), "--turns is " + turns + ", expected 1, or more and what to measure: --without");
        }
        refuseVariantsWithoutEffect();
        return turns > 1 ? measureInTurns() : measureOneAfterTheOther();
    }

    private int measureInTurns() throws IOException, InterruptedException {
        WorkDirectory.empty(load.directory());
        try (Turns all = new Turns()) {
            boolean isTrained = true;
            for (int i = 0; i < variants.size(); i++) {
                out.println("Starting: " + variants.get(i).label);
                Path directory = load.directory().resolve(Integer.toString(i));
                LoadedCluster cluster = LoadedCluster.startIn(load, directory, variants.get(i).testnetOptions);
                all.add(cluster);
                isTrained &= cluster.isTrained();
            }
            out.println("Warming up, " + load.warmUpSeconds + " s each");
            all.warmUp(ordersPerBatch, load.warmUpSeconds);
            for (int turn = 1; turn <= turns; turn++) {
                out.println("Turn " + turn + " of " + turns + ", " + load.seconds + " s each");
                all.measure(ordersPerBatch, load.seconds);
            }
            printTurns(all);
            if (resultFile.isWanted()) {
                List<String> notes = new ArrayList<>(load.notes(isTrained));
                notes.add("Clusters ran at the same time and were measured in " + turns
                        + " turns. Figures are of the turn"
                        + " with the median throughput, ratios to the first line are medians of turns, ± is half of the"
                        + " range of their middle half.");
                resultFile.write("What each acceleration is worth, in turns", load.home(), notes, results(all));
            }
        }
        return 0;
    }

    private List<ResultRow> results(Turns all) {
        List<ResultRow> lines = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            Turns.Ratio rate = all.ratio(i, ThroughputRow::ordersPerSecond);
            Turns.Ratio micros = all.ratio(i, ThroughputRow::allMicros);
            lines.add(all.median(i)
                    .toResult(variants.get(i).label)
                    .with(Figure.RATIO, rate.median())
                    .with(Figure.RATIO_SPREAD, rate.spread())
                    .with(Figure.MICROS_RATIO, micros.median())
                    .with(Figure.MICROS_RATIO_SPREAD, micros.spread()));
        }
        return lines;
    }

    private void printTurns(Turns all) {
        out.printf("%nDurability class: %s; %d orders per batch; %d turns.%n", load.durability, ordersPerBatch, turns);
        out.println("                                      orders/s       ratio         | CPU us/order       ratio");
        for (int i = 0; i < variants.size(); i++) {
            ThroughputRow row = all.median(i);
            Turns.Ratio rate = all.ratio(i, ThroughputRow::ordersPerSecond);
            Turns.Ratio micros = all.ratio(i, ThroughputRow::allMicros);
            out.printf(
                    Locale.ROOT,
                    "%-36s %,9.0f  %6.3f +- %.3f    |      %7.2f  %6.3f +- %.3f%n",
                    variants.get(i).label,
                    row.ordersPerSecond(),
                    rate.median(),
                    rate.spread(),
                    row.allMicros(),
                    micros.median(),
                    micros.spread());
        }
    }

    private int measureOneAfterTheOther() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        boolean isTrained = false;
        for (AblationVariant variant : variants()) {
            out.println("Measuring: " + variant.label + ", " + load.warmUpSeconds + " s of load before " + load.seconds
                    + " s");
            try (LoadedCluster cluster = LoadedCluster.start(load, Recording.NONE, variant.testnetOptions)) {
                if (rows.isEmpty()) {
                    out.println(cluster.describeStart());
                    isTrained = cluster.isTrained();
                }
                cluster.warmUp(ordersPerBatch, load.warmUpSeconds);
                rows.add(new Row(variant.label, cluster.measure(ordersPerBatch, load.seconds)));
            }
        }
        print(rows);
        if (resultFile.isWanted()) {
            double all = rows.get(0).figures.ordersPerSecond();
            List<ResultRow> lines = rows.stream()
                    .map(row ->
                            row.figures.toResult(row.variant).with(Figure.RATIO, row.figures.ordersPerSecond() / all))
                    .toList();
            resultFile.write("What each acceleration is worth", load.home(), load.notes(isTrained), lines);
        }
        return 0;
    }

    /** Returns what is measured one after the other, in this order. */
    private List<AblationVariant> variants() {
        if (variants != null) {
            return variants;
        }
        List<AblationVariant> all = new ArrayList<>();
        for (AblationVariant variant : AblationVariant.values()) {
            variant.withoutEffect(load)
                    .ifPresentOrElse(
                            why -> out.println("Not measured: " + variant.label + "; " + variant + " " + why),
                            () -> all.add(variant));
        }
        all.add(AblationVariant.ALL_ON);
        return all;
    }

    private void refuseVariantsWithoutEffect() {
        for (AblationVariant variant : variants == null ? List.<AblationVariant>of() : variants) {
            variant.withoutEffect(load).ifPresent(why -> {
                throw new ParameterException(spec.commandLine(), "--without " + variant + " " + why);
            });
        }
    }

    private void print(List<Row> rows) {
        double all = rows.get(0).figures.ordersPerSecond();
        out.printf("%nDurability class: %s; %d orders per batch.%n", load.durability, ordersPerBatch);
        out.println("                                      orders/s  (slowest..fastest s)    ratio   p50 ms   p99 ms"
                + " | CPU us/order:  nodes  engines  brokers | host took | decoded per batch");
        for (Row row : rows) {
            ThroughputRow f = row.figures;
            out.printf(
                    Locale.ROOT,
                    "%-36s %,9.0f  (%,9.0f ..%,9.0f)  %6.2f %8.1f %8.1f |"
                            + "             %7.2f  %7.2f  %7.2f | %8.1f%% | %5.2f%n",
                    row.variant,
                    f.ordersPerSecond(),
                    f.slowestSecond(),
                    f.fastestSecond(),
                    f.ordersPerSecond() / all,
                    f.p50Ms(),
                    f.p99Ms(),
                    f.nodeMicros(),
                    f.engineMicros(),
                    f.brokerMicros(),
                    f.stolenPercent(),
                    f.phases().decodedPerBatch());
        }
    }

    private record Row(String variant, ThroughputRow figures) {}
}
