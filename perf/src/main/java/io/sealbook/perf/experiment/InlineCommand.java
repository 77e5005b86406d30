package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.perf.inline.ChainReplay;
import io.sealbook.perf.inline.ContractBuild;
import io.sealbook.perf.inline.ContractEngineProvider;
import io.sealbook.perf.inline.MatchingEngineProvider;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What does it gain to execute outside consensus? The same load on three clusters: engines as separate processes, the
 * matching core inside consensus, and an order book as a smart contract inside consensus, which is the source paper's
 * baseline (tables 5 and 6). Inside consensus the result of each block is agreed before the next block is proposed.
 *
 * <p>Each run ends with the oracle: the matching core executes the chain of a node again, must come to the result that
 * all nodes agreed on, and must refuse no order.
 */
@Command(
        name = "inline",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Measures separated execution beside execution inside consensus, by matching core and by contract.")
public final class InlineCommand implements Callable<Integer> {
    private static final String NODE_PROPERTY = "--node-property";
    private static final double PAPER_SEPARATED_TPS = 15_621;
    private static final double PAPER_SEPARATED_MS = 35;
    private static final double PAPER_INLINE_TPS = 800;
    private static final double PAPER_INLINE_MS = 627;

    /** Where blocks are executed, and by which engine. */
    enum Execution {
        SEPARATED("separated, matching engine"),
        MATCHING_CORE("inline, matching core"),
        CONTRACT("inline, contract in an EVM");

        final String label;

        Execution(String label) {
            this.label = label;
        }
    }

    @Option(names = "--orders", split = ",", defaultValue = "1,30", description = "Orders in a batch.")
    private List<Integer> ordersPerBatch;

    @Option(
            names = "--execution",
            split = ",",
            defaultValue = "SEPARATED,MATCHING_CORE,CONTRACT",
            description = "Which to measure: ${COMPLETION-CANDIDATES}.")
    private List<Execution> executions;

    @Mixin
    private LoadOptions load;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;

    /** A measurement, and the number of its cluster's blocks that the oracle has checked. */
    private record Row(Execution execution, ThroughputRow figures, long blocks) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        // A cluster whose engines are inside the nodes has none; equal work on all sides.
        load.hearNoReports();
        List<Row> rows = new ArrayList<>();
        ContractBuild contract = ContractBuild.of(load.home());
        for (Execution execution : executions) {
            Optional<String> missing = execution == Execution.CONTRACT ? contract.missing() : Optional.empty();
            if (missing.isPresent()) {
                out.println("Not measured: " + execution.label + "; " + missing.get());
                continue;
            }
            out.println("Measuring: " + execution.label + ", " + load.warmUpSeconds + " s of load before "
                    + load.seconds + " s");
            rows.addAll(measure(execution, contract));
        }
        print(rows);
        if (resultFile.isWanted()) {
            write(rows);
        }
        return 0;
    }

    private List<Row> measure(Execution execution, ContractBuild contract) throws IOException, InterruptedException {
        List<ThroughputRow> figures = new ArrayList<>();
        EngineState reached;
        Path directory;
        GenesisFile genesis;
        try (LoadedCluster cluster = LoadedCluster.start(load, plan(load, execution, contract))) {
            cluster.warmUp(ordersPerBatch.get(ordersPerBatch.size() - 1), load.warmUpSeconds);
            for (int orders : ordersPerBatch) {
                figures.add(cluster.measure(orders, load.seconds));
            }
            reached = cluster.reached();
            directory = cluster.directory();
            genesis = cluster.genesis();
        }
        check(
                execution,
                reached,
                ChainReplay.of(directory.resolve("node0/archive"), genesis.genesis(), reached.getLastExecuted()));
        long blocks = reached.getLastExecuted();
        return figures.stream()
                .map(measured -> new Row(execution, measured, blocks))
                .toList();
    }

    /**
     * Returns the cluster that executes blocks there. Nodes with engines inside themselves are never trained, so that
     * no other one may be.
     */
    static ClusterPlan plan(LoadOptions load, Execution execution, ContractBuild contract) throws IOException {
        ClusterPlan plan = switch (execution) {
            case SEPARATED -> LoadedCluster.plan(load, List.of());
            case MATCHING_CORE -> withEnginesInside(load, "experiment.engine=" + MatchingEngineProvider.NAME);
            case CONTRACT ->
                withEnginesInside(
                        load,
                        "experiment.engine=" + ContractEngineProvider.NAME,
                        "experiment.engine." + ContractEngineProvider.PROGRAM + "=" + contract.program(),
                        "experiment.engine." + ContractEngineProvider.CONTRACT + "=" + contract.contract());
        };
        return plan.withoutTraining();
    }

    private static ClusterPlan withEnginesInside(LoadOptions load, String... properties) throws IOException {
        return LoadedCluster.plan(load, inline(properties)).withShape(NodeShape.EXPERIMENT);
    }

    /** Returns the options of a cluster that agrees on the result of each block before the next. */
    private static List<String> inline(String... properties) {
        List<String> options = new ArrayList<>(List.of("--checkpoint-interval", "1", "--pipeline-window", "1"));
        options.addAll(List.of(NODE_PROPERTY, "laboratory=true", NODE_PROPERTY, "experiment.execution=inline"));
        for (String property : properties) {
            options.addAll(List.of(NODE_PROPERTY, property));
        }
        return options;
    }

    private void check(Execution execution, EngineState reached, ChainReplay replay) throws IOException {
        Digest agreed = Digest.of(reached.getResultDigest().toByteArray());
        Digest expected = execution == Execution.CONTRACT ? replay.reports() : replay.result();
        if (!agreed.equals(expected)) {
            throw new IOException(execution.label + ": the nodes agreed on result " + agreed + " after block "
                    + replay.sequence() + ", the matching core comes to " + expected);
        }
        if (replay.refused() != 0) {
            throw new IOException(
                    execution.label + ": " + replay.refused() + " of " + reached.getOrders() + " orders were refused");
        }
        if (replay.trades() == 0 && load.market().mustTrade(reached.getOrders())) {
            throw new IOException(execution.label + ": no trade of " + reached.getOrders() + " orders");
        }
    }

    private void print(List<Row> rows) {
        out.printf("%nDurability class: %s.%n", load.durability);
        out.println("                              orders/batch  batches/s   orders/s  (slowest..fastest s)    ratio"
                + "  mean ms   p50 ms   p99 ms | paper: transactions/s  mean ms | blocks checked");
        for (Row row : rows) {
            ThroughputRow f = row.figures;
            out.printf(
                    Locale.ROOT,
                    "%-28s %13d %,10.0f %,10.0f  (%,9.0f ..%,9.0f)  %6.3f %8.1f %8.1f %8.1f | %21s  %7s | %,14d%n",
                    row.execution.label,
                    f.ordersPerBatch(),
                    f.ordersPerSecond() / f.ordersPerBatch(),
                    f.ordersPerSecond(),
                    f.slowestSecond(),
                    f.fastestSecond(),
                    ratio(row, rows),
                    f.meanMs(),
                    f.p50Ms(),
                    f.p99Ms(),
                    paper(row, PAPER_SEPARATED_TPS, PAPER_INLINE_TPS),
                    paper(row, PAPER_SEPARATED_MS, PAPER_INLINE_MS),
                    row.blocks);
        }
        out.println("The paper: one order per transaction; inline by a contract; 4 nodes of 16 cores each.");
    }

    /** Returns the orders per second beside those of the first row with as many orders per batch. */
    private static double ratio(Row row, List<Row> rows) {
        ThroughputRow first = rows.stream()
                .map(Row::figures)
                .filter(figures -> figures.ordersPerBatch() == row.figures.ordersPerBatch())
                .findFirst()
                .orElseThrow();
        return row.figures.ordersPerSecond() / first.ordersPerSecond();
    }

    private static String paper(Row row, double separated, double inline) {
        if (row.figures.ordersPerBatch() != 1) {
            return "";
        }
        return switch (row.execution) {
            case SEPARATED -> String.format(Locale.ROOT, "%,.0f", separated);
            case MATCHING_CORE -> "";
            case CONTRACT -> String.format(Locale.ROOT, "%,.0f", inline);
        };
    }

    private void write(List<Row> rows) throws IOException {
        List<ResultRow> lines = rows.stream()
                .map(row -> row.figures
                        .toResult(row.execution.label + ", " + row.figures.ordersPerBatch() + " orders per batch")
                        .with(Figure.BLOCKS, row.blocks)
                        .with(Figure.RATIO, ratio(row, rows)))
                .toList();
        List<String> notes = new ArrayList<>(load.notes(false));
        notes.add("Inline: the result of each block is agreed before the next block is proposed. The EVM is a process"
                + " beside each node, whose processor time is not in the columns.");
        notes.add("Blocks: executed again by the matching core after the run, with equal results.");
        notes.add("The source paper (4 nodes of 16 cores): 15,621 transactions per second and 35 ms separated, 800 and"
                + " 627 ms with a contract inside consensus.");
        resultFile.write("Execution outside and inside consensus", load.home(), notes, lines);
    }
}
