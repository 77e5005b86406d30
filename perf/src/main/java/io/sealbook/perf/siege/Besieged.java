package io.sealbook.perf.siege;

import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The cluster under siege: its processes, its honest brokers, and the identities of all callers. One thread. */
final class Besieged implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    private static final Duration READY_LIMIT = Duration.ofMinutes(5);
    private static final int NODES = 4;

    /** The fewest with which a node may run: floods at all ports want more. */
    static final int DESCRIPTORS_MAX = 1_024;

    /** Engines open new files all the time. */
    private static final int SNAPSHOT_EVERY_BLOCKS = 100;

    private static final String ADMIN_PORT = "admin-port=";

    private final Path home;
    private final Path directory;
    private final LocalCluster cluster;
    private final Identities identities;
    private final HonestLoad load;

    private Besieged(Path home, Path directory, LocalCluster cluster, Identities identities, HonestLoad load) {
        this.home = home;
        this.directory = directory;
        this.cluster = cluster;
        this.identities = identities;
        this.load = load;
    }

    /**
     * Starts a cluster with TLS and lets honest brokers trade on it.
     *
     * @param home root of the source tree
     * @param directory an empty one
     */
    static Besieged start(Path home, Path directory) throws IOException, InterruptedException {
        ClusterPlan plan = ClusterPlan.of(
                        home,
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(NODES),
                        NODES,
                        List.of("sm2", "secp256k1", "sm2"),
                        HonestLoad.MARKET.instruments())
                .withTestnetOptions(List.of("--tls"))
                .withEngineOptions(engineOptions())
                .withDescriptorsMax(DESCRIPTORS_MAX);
        LocalCluster cluster = LocalCluster.prepare(plan);
        try {
            Identities identities = Identities.prepare(
                    cluster.directory(),
                    directory.resolve("strangers"),
                    cluster.genesis().genesis());
            for (int node = 0; node < NODES; node++) {
                Files.write(
                        cluster.directory().resolve("node" + node + "/node.properties"),
                        RateAttacks.NODE_SETTINGS,
                        StandardOpenOption.APPEND);
            }
            cluster.start();
            cluster.awaitReady(READY_LIMIT);
            HonestLoad load = HonestLoad.start(cluster);
            Besieged besieged = new Besieged(home, directory, cluster, identities, load);
            besieged.awaitProgress();
            return besieged;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static List<String> engineOptions() {
        List<String> options = new ArrayList<>(RateAttacks.ENGINE_SETTINGS);
        options.add("--sealbook.engine.snapshots.every-blocks=" + SNAPSHOT_EVERY_BLOCKS);
        return options;
    }

    Path home() {
        return home;
    }

    /** Returns where attacks may write. */
    Path scratch(String name) throws IOException {
        return Files.createDirectories(directory.resolve("scratch").resolve(name));
    }

    LocalCluster cluster() {
        return cluster;
    }

    Identities identities() {
        return identities;
    }

    HonestLoad load() {
        return load;
    }

    private Node node(int id) {
        return cluster.genesis().genesis().getNodes(id);
    }

    int gatewayPort(int node) {
        return node(node).getGatewayPort();
    }

    int enginePort(int node) {
        return node(node).getEnginePort();
    }

    int httpPort(int node) {
        String address = cluster.consoleAddress(node);
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1, address.length() - 1));
    }

    int adminPort(int node) throws IOException {
        return Files.readAllLines(cluster.directory().resolve("node" + node + "/node.properties")).stream()
                .filter(line -> line.startsWith(ADMIN_PORT))
                .mapToInt(line -> Integer.parseInt(line.substring(ADMIN_PORT.length())))
                .findFirst()
                .orElseThrow(() -> new IOException("node " + node + " has no " + ADMIN_PORT));
    }

    /** Returns the ports of a node and its engine that speak TLS, by name. */
    Map<String, Integer> tlsPorts(int node) throws IOException {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("gateway", gatewayPort(node));
        ports.put("engine", enginePort(node));
        ports.put("http", httpPort(node));
        ports.put("admin", adminPort(node));
        return ports;
    }

    /** Returns all ports of a node and its engine, by name. */
    Map<String, Integer> ports(int node) throws IOException {
        Map<String, Integer> ports = tlsPorts(node);
        ports.put("votes", node(node).getVotePort());
        ports.put("payloads", node(node).getPayloadPort());
        return ports;
    }

    /** Returns a new connection to a gRPC port. */
    ManagedChannel channel(int port, Guest guest) throws IOException {
        return Grpc.newChannelBuilderForAddress(HOST, port, identities.channel(guest))
                .build();
    }

    /** Returns a new connection with a trusted certificate that no other guest shows, and that proves no role. */
    ManagedChannel channelOfNobody(int port, int number) throws IOException {
        return Grpc.newChannelBuilderForAddress(HOST, port, identities.channelOfNobody(number))
                .build();
    }

    /** Waits until the honest brokers have receipts of further batches. */
    void awaitProgress() throws IOException, InterruptedException {
        long before = load.receipts();
        Await.fact("further receipts of the honest brokers", () -> {
            load.check();
            return load.receipts() > before + 4;
        });
    }

    /** Waits until the engine beside a node has written a further snapshot: it can open files. */
    void awaitSnapshot(int node) throws IOException, InterruptedException {
        String before = newestSnapshot(node);
        Await.fact(
                "a further snapshot of engine " + node,
                () -> !newestSnapshot(node).equals(before));
    }

    private String newestSnapshot(int node) throws IOException {
        try (Stream<Path> files = Files.list(cluster.directory().resolve("node" + node + "/engine/snapshots"))) {
            return files.map(file -> file.getFileName().toString())
                    .max(Comparator.naturalOrder())
                    .orElse("");
        }
    }

    /** Returns the bytes of all logs of nodes and engines. */
    long logBytes() throws IOException {
        long bytes = 0;
        for (ManagedProcess process : processes()) {
            bytes += Files.size(process.logFile());
        }
        return bytes;
    }

    /** Returns the last lines of the log of each node and engine. */
    String logTails() throws IOException {
        StringBuilder tails = new StringBuilder();
        for (ManagedProcess process : processes()) {
            tails.append("The end of the log of ")
                    .append(process.name())
                    .append(process.isRunning() ? ":\n" : ", which does not run:\n")
                    .append(process.logTail())
                    .append('\n');
        }
        return tails.toString();
    }

    private List<ManagedProcess> processes() {
        List<ManagedProcess> processes = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            processes.add(cluster.node(node));
            cluster.engine(node).ifPresent(processes::add);
        }
        return processes;
    }

    /** Returns the number of descriptors that the process of a node holds; 0 where the system does not show it. */
    long descriptors(int node) throws IOException {
        return descriptorsOf(cluster.node(node).pid());
    }

    /** Returns the number of descriptors that the engine beside a node holds; 0 where the system does not show it. */
    long engineDescriptors(int node) throws IOException {
        return descriptorsOf(cluster.engine(node).orElseThrow().pid());
    }

    private static long descriptorsOf(long pid) throws IOException {
        Path open = Path.of("/proc/" + pid + "/fd");
        if (!Files.isDirectory(open)) {
            return 0;
        }
        try (var entries = Files.list(open)) {
            return entries.count();
        }
    }

    @Override
    public void close() {
        load.close();
        cluster.close();
    }
}
