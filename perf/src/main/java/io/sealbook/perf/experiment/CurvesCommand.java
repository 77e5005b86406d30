package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.results.Curve;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * How do rate and latency of the whole platform change with one variable, all else equal? The curves are those of the
 * source paper's figures 8 to 13 and, with {@code --for-each} and {@code --transfer}, of FastFabric's figures 3 to 8:
 * each number of proposals in flight against each number of verification lanes, and blocks read over gRPC by size.
 *
 * <p>Each point has a cluster of its own, so that no point inherits what the one before left behind; checks are those
 * of {@link ThroughputCommand}.
 */
@Command(
        name = "curves",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the whole platform at several values of one variable and draws the curve.")
public final class CurvesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "VARIABLE",
            description = "${COMPLETION-CANDIDATES}: nodes, orders in a batch, batches in flight per broker, batches of"
                    + " a block, longest wait for a block in ms, proposals in flight, verification lanes of a node,"
                    + " delay of links between members in ms, megabytes per second that a member may send.")
    private CurveVariable variable;

    @Option(names = "--points", split = ",", description = "Values of the variable; some of its range by default.")
    private List<Integer> points;

    @Option(names = "--for-each", description = "Draw a curve for each value of this second variable.")
    private CurveVariable family;

    @Option(
            names = "--members",
            split = ",",
            description = "Values of the variable of --for-each; some of its range by default.")
    private List<Integer> members;

    @Option(names = "--orders", defaultValue = "10", description = "Orders in a batch where they are not a variable.")
    private int ordersPerBatch;

    @Option(names = "--transfer", description = "Also read all blocks of a node over gRPC and time that.")
    private boolean isTransferred;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;
    private final List<ResultRow> rows = new ArrayList<>();
    private boolean isTrained;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<Integer> values = points != null ? points : variable.points;
        if (family == null) {
            for (int value : values) {
                ResultRow row = ResultRow.of(variable.describe(value)).with(variable.figure, value);
                measure(row, variable.set(load, value), variable.ordersPerBatch(value, ordersPerBatch));
            }
        } else {
            for (int member : members != null ? members : family.points) {
                List<String> options = family.set(load, member);
                for (int value : values) {
                    ResultRow row = ResultRow.of(variable.describe(value) + Curve.FAMILY + family.describe(member))
                            .with(variable.figure, value)
                            .with(family.figure, member);
                    int orders = variable.ordersPerBatch(value, family.ordersPerBatch(member, ordersPerBatch));
                    measure(row, joined(options, variable.set(load, value)), orders);
                }
            }
        }
        out.println();
        out.print(Curve.draw(rows, variable.figure, Figure.ORDERS_PER_SECOND));
        out.println();
        out.print(Curve.draw(rows, variable.figure, Figure.MEAN_MS));
        resultFile.write(title(), load.home(), notes(), rows);
        return 0;
    }

    private List<String> notes() {
        String varied = variable.figure.heading() + (family == null ? "" : " and " + family.figure.heading());
        return Stream.concat(
                        Stream.of("Varied: " + varied + "; a value of it that a note names is that of the last point."),
                        load.notes(isTrained).stream())
                .toList();
    }

    private void measure(ResultRow row, List<String> testnetOptions, int orders)
            throws IOException, InterruptedException {
        out.printf("Measuring %s for %d s%n", row.label(), load.seconds);
        try (LoadedCluster cluster = LoadedCluster.start(load, Recording.NONE, testnetOptions)) {
            isTrained = cluster.isTrained();
            cluster.warmUp(orders, load.warmUpSeconds);
            cluster.measure(orders, load.seconds).addTo(row);
            if (isTransferred) {
                BlockTransfer transfer =
                        BlockTransfer.of(cluster.genesis(), 0, cluster.reached().getLastExecuted());
                out.printf(
                        Locale.ROOT,
                        "Blocks over gRPC: %,.1f MiB/s in blocks of %,.0f KiB%n",
                        transfer.mebibytesPerSecond(),
                        transfer.meanKibibytes());
                transfer.addTo(row);
            }
        }
        rows.add(row);
    }

    private String title() {
        String against = "Rate and latency against " + variable.figure.heading();
        return family == null ? against : against + " for each number of " + family.figure.heading();
    }

    private static List<String> joined(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }
}
