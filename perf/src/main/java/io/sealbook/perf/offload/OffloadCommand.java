package io.sealbook.perf.offload;

import io.sealbook.perf.cluster.WorkOptions;
import io.sealbook.perf.offload.OffloadPoint.Place;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What are the offload of message checks and separate threads worth, alone and together? Four configurations against
 * the number of clients, the application's load and the number of replicas, one axis at a time. On the one thread of
 * the configurations without threads agreement, commit and execution alternate, as in the paper's single-thread case.
 */
@Command(
        name = "offload",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Measures offload and threads as independent switches, beside the end points of the source paper's curves.",
            "Clients have one request in flight each; a request is one order, and the engine inside each node runs a"
                    + " counter loop for it."
        })
public final class OffloadCommand implements Callable<Integer> {
    /** Changes of throughput and latency that the paper reports for both switches, in percent. */
    private static final String PAPER = "+46 % throughput, -65 % latency";

    @Option(names = "--clients", split = ",", defaultValue = "1,2,4,8,16", description = "Numbers of clients, 1 to 64.")
    private List<Integer> clients;

    @Option(
            names = "--loops",
            split = ",",
            defaultValue = "0,100,1000,10000,100000",
            description = "Passes of the counter loop for each request, 0 to 1000000.")
    private List<Integer> loops;

    @Option(names = "--nodes", split = ",", defaultValue = "4,7,10,13", description = "Numbers of nodes, 4 to 13.")
    private List<Integer> nodes;

    @Option(
            names = "--configurations",
            split = ",",
            defaultValue = "NEITHER,OFFLOAD,THREADS,BOTH",
            description = "Which to measure: ${COMPLETION-CANDIDATES}; without NEITHER there is no comparison.")
    private List<Configuration> configurations;

    @Option(
            names = "--seconds",
            defaultValue = "15",
            description = "Length of each run, of which the middle third counts.")
    private int seconds;

    @Option(names = "--warm-up", defaultValue = "15", description = "Seconds of load on a new cluster before its runs.")
    private int warmUpSeconds;

    @Option(
            names = "--quick",
            description =
                    "Few points and short runs: 1, 4 and 16 clients, 0, 1000 and 100000 passes, 4 nodes, 6 s each.")
    private boolean isQuick;

    @Mixin
    private WorkOptions work;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;
    private final List<OffloadPoint> points = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (isQuick) {
            clients = List.of(1, 4, 16);
            loops = List.of(0, 1_000, 100_000);
            nodes = List.of(4);
            seconds = 6;
            warmUpSeconds = 6;
        }
        Path home = work.home();
        Path directory = work.directory("offload");
        for (int nodeCount : nodes) {
            for (Configuration configuration : configurations) {
                measure(home, directory, configuration, nodeCount);
            }
        }
        print();
        resultFile.write(title(), home, notes(), rows());
        return 0;
    }

    private void measure(Path home, Path directory, Configuration configuration, int nodeCount)
            throws IOException, InterruptedException {
        out.println("Measuring: " + configuration.label + ", " + nodeCount + " nodes, " + warmUpSeconds
                + " s of load before runs of " + seconds + " s");
        int clientsMax = Collections.max(clients);
        try (OffloadCluster cluster = OffloadCluster.start(home, directory, configuration, nodeCount, clientsMax)) {
            if (warmUpSeconds > 0) {
                cluster.run(clientsMax, loops.get(0), warmUpSeconds);
            }
            for (Place place : places(nodeCount)) {
                points.add(
                        OffloadPoint.of(configuration, place, cluster.run(place.clients(), place.passes(), seconds)));
            }
        }
    }

    /** Returns the points of the axes: only the first number of nodes has those of clients and loops. */
    private Set<Place> places(int nodeCount) {
        Set<Place> places = new LinkedHashSet<>();
        int clientsMax = Collections.max(clients);
        if (nodeCount == nodes.get(0)) {
            clients.forEach(count -> places.add(new Place(count, loops.get(0), nodeCount)));
            loops.forEach(passes -> places.add(new Place(clientsMax, passes, nodeCount)));
        } else {
            places.add(new Place(clientsMax, loops.get(0), nodeCount));
        }
        return places;
    }

    private void print() {
        out.printf(
                "%n%s: requests per second, latency from a request to f + 1 equal receipts, after execution.%n",
                title());
        out.println("clients    passes  nodes  configuration                requests/s  (slowest..fastest s)"
                + "   mean ms   p50 ms   p99 ms | throughput  latency");
        for (OffloadPoint point : inOrder()) {
            OffloadPoint neither = neither(point);
            out.printf(
                    Locale.ROOT,
                    "%7d %,9d %6d  %-27s %,11.0f  (%,8.0f ..%,8.0f)  %8.1f %8.1f %8.1f | %+9.0f%%  %+6.0f%%%n",
                    point.place().clients(),
                    point.place().passes(),
                    point.place().nodes(),
                    point.configuration().label,
                    point.perSecond(),
                    point.slowestSecond(),
                    point.fastestSecond(),
                    point.meanMs(),
                    point.p50Ms(),
                    point.p99Ms(),
                    point.throughputGain(neither),
                    point.latencyGain(neither));
        }
        out.println("Source paper, both switches against neither: " + PAPER + ". Its single thread executes requests,"
                + " as here; its offload is a network card, here it is the event loop on a core of the same machine.");
    }

    /** Returns the points by place, configurations beside each other. */
    private List<OffloadPoint> inOrder() {
        List<OffloadPoint> ordered = new ArrayList<>();
        Set<Place> places = new LinkedHashSet<>();
        points.forEach(point -> places.add(point.place()));
        for (Place place : places) {
            points.stream().filter(point -> point.place().equals(place)).forEach(ordered::add);
        }
        return ordered;
    }

    /** Returns the point of the same place with both switches off, or the point itself if that was not measured. */
    private OffloadPoint neither(OffloadPoint point) {
        return points.stream()
                .filter(other -> other.place().equals(point.place()) && other.configuration() == Configuration.NEITHER)
                .findFirst()
                .orElse(point);
    }

    private List<ResultRow> rows() {
        return inOrder().stream().map(point -> point.toResult(neither(point))).toList();
    }

    private static String title() {
        return "Offload and threads as independent switches";
    }

    private List<String> notes() {
        return List.of(
                "Synchronous clients, one order per request; latency to f + 1 equal receipts, which leave after"
                        + " execution.",
                "Nodes and clients share the cores; an engine inside each node runs a counter loop per request, on the"
                        + " thread of agreement in configurations of one thread, else on the thread that commits.",
                warmUpSeconds + " s of warm-up per cluster, the middle third of " + seconds + " s counts; gains are"
                        + " against both switches off at the same place. The paper reports " + PAPER + " for both.");
    }
}
