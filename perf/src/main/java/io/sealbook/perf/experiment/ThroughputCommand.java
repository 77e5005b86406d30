package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How many orders per second does the whole platform commit and execute, and how long does a broker wait for f+1 equal
 * receipts, at 1, 10, 20 and 30 orders in a batch?
 *
 * <p>Closed loop: every broker keeps a fixed number of batches in flight. Warm-up first, then the measured run, of
 * which the middle third counts. Refuted when an engine has executed another number of orders than were committed, has
 * refused one or traded none, or when two engines differ.
 */
@Command(
        name = "throughput",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the whole platform at several batch sizes, beside the source paper's table 9.")
public final class ThroughputCommand implements Callable<Integer> {
    @Option(names = "--orders", split = ",", defaultValue = "1,10,20,30", description = "Orders in a batch.")
    private List<Integer> ordersPerBatch;

    @Option(
            names = "--preset",
            description = "Values of --orders, --in-flight and the block's limits: ${COMPLETION-CANDIDATES}."
                    + " main-board: the source paper's section 3.1.3, 4 x 100 concurrent clients, 10 orders in a batch,"
                    + " blocks of 500 batches or 500 ms.")
    private Preset preset;

    @Option(
            names = "--series",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Also give rate and latencies for each interval of this length; 0: not.")
    private int seriesSeconds;

    @Mixin
    private LoadOptions load;

    @Option(names = "--profile", description = "Record one node and one engine and print where their time goes.")
    private boolean isProfiled;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (preset != null) {
            load.refuse("is decided by --preset " + preset, Preset.OPTIONS);
            ordersPerBatch = List.of(preset.ordersPerBatch);
            load.take(preset);
        }
        load.seriesSeconds = seriesSeconds;
        List<ThroughputRow> rows = new ArrayList<>();
        boolean isTrained;
        Path nodeRecording;
        Path engineRecording;
        Recording recording = isProfiled ? Recording.PROFILE : Recording.NONE;
        try (LoadedCluster cluster = LoadedCluster.start(load, recording, List.of())) {
            isTrained = cluster.isTrained();
            out.println(cluster.describeStart());
            if (load.warmUpSeconds > 0) {
                out.println("Warming up for " + load.warmUpSeconds + " s");
                cluster.warmUp(ordersPerBatch.get(ordersPerBatch.size() - 1), load.warmUpSeconds);
            }
            for (int orders : ordersPerBatch) {
                out.println("Measuring " + orders + " orders a batch for " + load.seconds + " s");
                rows.add(cluster.measure(orders, load.seconds));
            }
            nodeRecording = cluster.directory().resolve("node0/node.jfr");
            engineRecording = cluster.directory().resolve("node0/engine.jfr");
        }
        ThroughputRow.print(rows, out, load.durability);
        if (load.otherHome().isPresent()) {
            ThroughputRow.printByNode(rows, out);
        }
        rows.forEach(row -> row.series().print(label(row), out));
        BlockPhases.print(
                rows.stream().map(ThroughputCommand::label).toList(),
                rows.stream().map(ThroughputRow::phases).toList(),
                out);
        if (resultFile.isWanted()) {
            write(rows, isTrained);
        }
        if (isProfiled) {
            Profile.print("node 0", nodeRecording, out);
            if (load.shape() == NodeShape.SPLIT) {
                Profile.print("engine 0", engineRecording, out);
            }
        }
        return 0;
    }

    private static String label(ThroughputRow row) {
        return row.ordersPerBatch() + " orders per batch";
    }

    private void write(List<ThroughputRow> rows, boolean isTrained) throws IOException {
        List<ResultRow> lines = new ArrayList<>();
        for (ThroughputRow row : rows) {
            lines.add(row.toResult(label(row)));
            lines.addAll(row.series().toResult(label(row)));
            if (load.otherHome().isPresent()) {
                lines.addAll(row.nodesToResult(label(row)));
            }
        }
        resultFile.write("Throughput of the whole platform", load.home(), load.notes(isTrained), lines);
    }
}
