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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * How do rate and latency of the whole platform change with one variable, all else equal? Each point has a cluster of
 * its own, so that no point inherits what the one before left behind; checks are those of {@link ThroughputCommand}.
 */
@Command(
        name = "curves",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the whole platform at several values of one variable and draws the curve.")
public final class CurvesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "VARIABLE",
            description =
                    "${COMPLETION-CANDIDATES}: nodes, orders in a batch, batches in flight per broker, batches of a"
                            + " block, longest wait for a block in ms.")
    private CurveVariable variable;

    @Option(names = "--points", split = ",", description = "Values of the variable; some of its range by default.")
    private List<Integer> points;

    @Option(names = "--orders", defaultValue = "10", description = "Orders in a batch where they are not the variable.")
    private int ordersPerBatch;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        List<ResultRow> rows = new ArrayList<>();
        boolean isTrained = false;
        for (int value : points != null ? points : variable.points) {
            out.printf("Measuring %,d %s for %d s%n", value, variable.figure.heading(), load.seconds);
            variable.set(load, value);
            int orders = variable == CurveVariable.ORDERS ? value : ordersPerBatch;
            try (LoadedCluster cluster = LoadedCluster.start(load, Recording.NONE, List.of())) {
                isTrained = cluster.isTrained();
                cluster.warmUp(orders, load.warmUpSeconds);
                ResultRow point =
                        ResultRow.of(value + " " + variable.figure.heading()).with(variable.figure, value);
                rows.add(cluster.measure(orders, load.seconds).addTo(point));
            }
        }
        out.println();
        out.print(Curve.draw(rows, variable.figure, Figure.ORDERS_PER_SECOND));
        out.println();
        out.print(Curve.draw(rows, variable.figure, Figure.MEAN_MS));
        resultFile.write(
                "Rate and latency against " + variable.figure.heading(), load.home(), load.notes(isTrained), rows);
        return 0;
    }
}
