package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.perf.cluster.WorkOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of the experiments that put a local cluster under load. */
final class LoadOptions {
    @Option(names = "--seconds", defaultValue = "30", description = "Length of each measured run.")
    int seconds;

    @Option(
            names = "--warm-up",
            defaultValue = "20",
            description = "Seconds of load on a new cluster before it is measured.")
    int warmUpSeconds;

    @Option(
            names = "--brokers",
            split = ",",
            defaultValue = "sm2,sm2,secp256k1,secp256k1",
            description = "Signature scheme of each broker.")
    List<String> brokerSchemes;

    @Option(names = "--nodes", defaultValue = "4", description = "Nodes, 4 to 13, each with an engine.")
    int nodeCount;

    @Option(
            names = "--shape",
            defaultValue = "split",
            description = "split: a node and an engine beside it; replica: both in one process.")
    private Shape shape;

    @Option(names = "--block-max-batches", defaultValue = "500", description = "Batches of a block.")
    int blockMaxBatches;

    @Option(names = "--block-max-wait-ms", defaultValue = "500", description = "Longest wait for a block to fill.")
    int blockMaxWaitMs;

    @Option(names = "--in-flight", defaultValue = "32", description = "Batches that each broker keeps in flight.")
    int inFlight;

    @Option(names = "--durability", defaultValue = "process", description = "process or disk.")
    String durability;

    @Option(
            names = "--database",
            description =
                    "Engines keep a database of orders and trades; the run fails if it falls behind. Of shape split:"
                            + " a replica has none.")
    boolean hasDatabase;

    @Option(names = "--no-reports", description = "Brokers do not ask the engines for execution reports.")
    private boolean isWithoutReports;

    @Option(names = "--books", defaultValue = "4", description = "Instruments, which all brokers share.")
    private int books;

    @Option(
            names = "--resting",
            defaultValue = "2000",
            description = "Orders that rest away from the best prices, in all books together.")
    private int resting;

    @Option(
            names = "--open-loop",
            paramLabel = "RATE",
            defaultValue = "0",
            description = {
                "Orders per second that all brokers together send at fixed times; latencies count from these times.",
                "0: a closed loop, as many batches in flight as --in-flight says."
            })
    double openLoopRate;

    @Option(
            names = "--node-property",
            paramLabel = "KEY=VALUE",
            description = "A setting of every node, such as verify-lanes=2; may be given several times.")
    private List<String> nodeProperties = List.of();

    @Option(
            names = "--fill-page-cache",
            description = "Fill free memory with the page cache first, as it is on a machine that has run for long: the"
                    + " first use of a page costs the host of a virtual machine a fault.")
    boolean fillsPageCache;

    @Option(
            names = "--other-home",
            paramLabel = "DIR",
            description = "Root of another built source tree, from whose jars replicas with odd ids run: two builds in"
                    + " one cluster, of which the processor time is compared.")
    private Path otherHome;

    /** Whether the experiment has open loops without {@link #openLoopRate}, whose rates it checks. */
    boolean hasOtherRates;

    /** Length of the intervals whose rates and latencies are kept, too; 0: none. */
    int seriesSeconds;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Mixin
    final LinkOptions links = new LinkOptions();

    @Mixin
    final RateOptions rate = new RateOptions();

    @Mixin
    private WorkOptions work;

    /** The shapes that may be measured. */
    enum Shape {
        split(NodeShape.SPLIT),
        replica(NodeShape.REPLICA);

        final NodeShape nodes;

        Shape(NodeShape nodes) {
            this.nodes = nodes;
        }
    }

    NodeShape shape() {
        return shape.nodes;
    }

    /**
     * Refuses options that contradict each other.
     *
     * @throws ParameterException if they do
     */
    void refuseContradictions() {
        if (!isOpenLoop() && !hasOtherRates) {
            refuse("needs --open-loop: a closed loop has no rate to keep", List.of("--rate-min"));
        }
        if (hasDatabase && shape == Shape.replica) {
            throw new ParameterException(
                    command.commandLine(), "--database needs --shape split: a replica keeps no database");
        }
        if (otherHome != null && shape != Shape.replica) {
            throw new ParameterException(
                    command.commandLine(), "--other-home needs --shape replica: only replicas run from its jars");
        }
    }

    /**
     * Refuses options that would have no effect.
     *
     * @param why the rest of the message, after the option
     * @param options that must not be given
     * @throws ParameterException if one is
     */
    void refuse(String why, List<String> options) {
        for (String option : options) {
            if (command.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new ParameterException(command.commandLine(), option + " " + why);
            }
        }
    }

    /**
     * Returns whether one event loop of a node may do all for a batch. With {@code stage-threads=auto} that depends on
     * the machine, too.
     */
    boolean mayShareStages() {
        return nodeProperties.contains("stage-threads=shared")
                || shape == Shape.replica && !nodeProperties.contains("stage-threads=own");
    }

    boolean hearsReports() {
        return !isWithoutReports;
    }

    /** Has brokers ask for no reports, whatever the options say. */
    void hearNoReports() {
        isWithoutReports = true;
    }

    boolean isOpenLoop() {
        return openLoopRate > 0;
    }

    LoadMarket market() {
        return new LoadMarket(books, resting, brokerSchemes.size());
    }

    /** Returns what a reader of the figures must know about the load. */
    List<String> notes(boolean isTrained) {
        return notes(describeLoop(), isTrained);
    }

    /**
     * Returns what a reader of the figures must know about a load at another pace than the options say.
     *
     * @param loop the pace, as the beginning of a sentence
     * @param isTrained whether virtual machines started with what another run had learnt
     */
    List<String> notes(String loop, boolean isTrained) {
        return List.of(
                loop + ": " + brokerSchemes.size() + " brokers (" + String.join(", ", brokerSchemes)
                        + ") share " + books + " books with " + resting + " resting orders; durability class "
                        + durability + ".",
                "Execution reports " + (hearsReports() ? "delivered at f + 1" : "off") + "; database "
                        + (hasDatabase ? "on" : "off") + "; brokers connect without TLS, unless a row says otherwise; "
                        + links.describe() + "; nobody reads market data.",
                nodeCount
                        + (shape == Shape.replica ? " replicas, each one process," : " nodes, their engines")
                        + " and the brokers share the cores; receipts count at f + 1; blocks of at"
                        + " most " + blockMaxBatches + " batches or " + blockMaxWaitMs + " ms.",
                warmUpSeconds + " s of warm-up, the middle third of " + seconds + " s counts; virtual machines started "
                        + (isTrained ? "trained" : "untrained") + "; page cache "
                        + (fillsPageCache ? "filled before." : "as it was."));
    }

    private String describeLoop() {
        return isOpenLoop()
                ? String.format(
                        Locale.ROOT,
                        "Open loop of %,.0f orders/s, at most %d batches in flight per broker",
                        openLoopRate,
                        inFlight)
                : "Closed loop of " + inFlight + " batches in flight per broker";
    }

    /** Takes the values that a preset decides. */
    void take(Preset preset) {
        inFlight = preset.inFlight;
        blockMaxBatches = preset.blockMaxBatches;
        blockMaxWaitMs = preset.blockMaxWaitMs;
    }

    Optional<Path> otherHome() {
        return Optional.ofNullable(otherHome);
    }

    /** Returns what the testnet command must know of the genesis file's parameters. */
    List<String> testnetOptions() {
        List<String> testnet = new ArrayList<>(List.of(
                "--block-max-batches",
                Integer.toString(blockMaxBatches),
                "--block-max-wait-ms",
                Integer.toString(blockMaxWaitMs)));
        for (String property : nodeProperties) {
            testnet.addAll(List.of("--node-property", property));
        }
        return testnet;
    }

    Path home() throws IOException {
        return work.home();
    }

    Path directory() throws IOException {
        return work.directory("throughput");
    }
}
