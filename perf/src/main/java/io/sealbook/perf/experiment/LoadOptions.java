package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

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

    @Option(names = "--block-max-batches", defaultValue = "500", description = "Batches of a block.")
    private int blockMaxBatches;

    @Option(names = "--block-max-wait-ms", defaultValue = "500", description = "Longest wait for a block to fill.")
    private int blockMaxWaitMs;

    @Option(names = "--in-flight", defaultValue = "32", description = "Batches that each broker keeps in flight.")
    int inFlight;

    @Option(names = "--durability", defaultValue = "process", description = "process or disk.")
    String durability;

    @Option(
            names = "--no-database",
            description = "Engines keep no database of orders and trades; everything else stays on.")
    boolean isWithoutDatabase;

    @Option(names = "--dir", description = "Work directory; emptied first (default: HOME/perf/target/throughput).")
    private Path directory;

    @Option(names = "--home", description = "Root of the source tree (default: found from the jar).")
    private Path home;

    /** Returns what a reader of the figures must know about the load. */
    List<String> notes(boolean isTrained) {
        return List.of(
                "Closed loop: " + brokerSchemes.size() + " brokers (" + String.join(", ", brokerSchemes) + ") with "
                        + inFlight + " batches in flight each; durability class " + durability + "; database "
                        + (isWithoutDatabase ? "off" : "on") + ".",
                nodeCount
                        + " nodes, their engines and the brokers share the cores; receipts count at f + 1; blocks of at"
                        + " most " + blockMaxBatches + " batches or " + blockMaxWaitMs + " ms.",
                warmUpSeconds + " s of warm-up, the middle third of " + seconds + " s counts; virtual machines started "
                        + (isTrained ? "trained" : "untrained") + ".");
    }

    /** Returns what the testnet command must know of the genesis file's parameters. */
    List<String> testnetOptions() {
        return List.of(
                "--block-max-batches",
                Integer.toString(blockMaxBatches),
                "--block-max-wait-ms",
                Integer.toString(blockMaxWaitMs));
    }

    Path home() throws IOException {
        return home != null ? home : Home.find();
    }

    Path directory() throws IOException {
        return directory != null ? directory : home().resolve("perf/target/throughput");
    }
}
