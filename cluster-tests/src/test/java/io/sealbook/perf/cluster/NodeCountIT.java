package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Order;
import io.sealbook.client.OrderTracker;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker's program runs while a node is added to a cluster of replicas with TLS, and removed again. */
class NodeCountIT {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int NODES = 4;
    private static final int ADDED = NODES;
    private static final int HEAP_MB = 768;
    private static final int PORTS_PER_NODE = 10;
    private static final String PORT = "port=";
    private static final int INSTRUMENT = 1;
    private static final long PRICE = 10_000;

    @TempDir
    private Path directory;

    private LocalCluster cluster;
    private long clOrdId = 1;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void shouldCountTheNodesThatThereAre() throws Exception {
        int basePort = LocalCluster.freeBasePort(NODES + 1);
        ClusterPlan plan = ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        basePort,
                        NODES,
                        List.of("sm2"),
                        List.of("1:ABC:2:1:200000:1000000"))
                .withShapes(node -> NodeShape.REPLICA)
                .withTestnetOptions(List.of("--tls"));
        OrderTracker orders = new OrderTracker(report -> {}, 100);
        try (LocalCluster started = LocalCluster.prepare(plan)) {
            cluster = started;
            cluster.start();
            cluster.awaitReady(LIMIT);
            try (BrokerClient client = BrokerClient.builder()
                    .directory(BrokerDirectory.read(cluster.directory().resolve("broker1")))
                    .connectTimeout(LIMIT)
                    .executionReports(orders)
                    .connect()) {
                trade(client, orders);
                ManagedProcess added = startMachine();
                try {
                    execute("add-node.json", 3, "--add-node", addNodeOption());
                    awaitConnected(client, 2 * (NODES + 1));
                    trade(client, orders);
                    // Four of five are a quorum: the added one counts, at nodes and at the client.
                    cluster.killNode(2);
                    trade(client, orders);
                    cluster.startNode(2);
                    awaitConnected(client, 2 * (NODES + 1));

                    execute("remove-node.json", 4, "--remove-node", Integer.toString(ADDED));
                    awaitConnected(client, 2 * NODES);
                    trade(client, orders);
                } finally {
                    added.kill();
                }
                trade(client, orders);
            }
        }
    }

    /** Writes the directory of a fifth machine, like that of the fourth, and starts it. */
    private ManagedProcess startMachine() throws Exception {
        Path last = cluster.directory().resolve("node" + (ADDED - 1));
        Path added = Files.createDirectory(cluster.directory().resolve("node" + ADDED));
        tool("keys", "new", "--plain", added.resolve("node.key").toString());
        Files.copy(last.resolve("genesis.json"), added.resolve("genesis.json"));
        Path tls = Files.createDirectory(added.resolve("tls"));
        try (Stream<Path> files = Files.list(last.resolve("tls"))) {
            for (Path file : files.toList()) {
                Files.copy(file, tls.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        for (String settings : List.of("node.properties", "engine.properties")) {
            List<String> lines = Files.readAllLines(last.resolve(settings)).stream()
                    .map(NodeCountIT::ofTheNext)
                    .toList();
            Files.write(added.resolve(settings), lines);
        }
        ManagedProcess process = new ManagedProcess(
                "node " + ADDED,
                LocalCluster.java(
                        HEAP_MB,
                        List.of(),
                        LocalCluster.jar(Home.find(), "replica"),
                        List.of("start", added.toString())),
                added.resolve("node.log"));
        process.start();
        return process;
    }

    private static String ofTheNext(String line) {
        if (line.startsWith("node-id=")) {
            return "node-id=" + ADDED;
        }
        int at = line.indexOf(PORT);
        return at < 0
                ? line
                : line.substring(0, at + PORT.length())
                        + (Integer.parseInt(line.substring(at + PORT.length())) + PORTS_PER_NODE);
    }

    private String addNodeOption() {
        Node last = cluster.genesis().genesis().getNodes(ADDED - 1);
        return String.join(
                ":",
                Integer.toString(ADDED),
                cluster.directory()
                        .resolve("node" + ADDED)
                        .resolve("node.key.pub")
                        .toString(),
                last.getHost(),
                Integer.toString(last.getVotePort() + PORTS_PER_NODE),
                Integer.toString(last.getPayloadPort() + PORTS_PER_NODE),
                Integer.toString(last.getGatewayPort() + PORTS_PER_NODE),
                Integer.toString(last.getEnginePort() + PORTS_PER_NODE));
    }

    private void execute(String file, int approvals, String option, String value) throws Exception {
        String transaction = directory.resolve(file).toString();
        String first = cluster.directory().resolve("node0").toString();
        tool("admin", "propose", "--node-dir", first, "--out", transaction, option, value);
        for (int node = 0; node < approvals; node++) {
            tool(
                    "admin",
                    "approve",
                    "--node-dir",
                    cluster.directory().resolve("node" + node).toString(),
                    transaction);
        }
        tool("admin", "submit", "--node-dir", first, transaction);
    }

    private static void awaitConnected(BrokerClient client, int endpoints) throws Exception {
        Facts.await(endpoints + " endpoints connected", () -> {
            List<ConnectionReport.Endpoint> all = client.connectionReport().endpoints();
            return all.size() == endpoints && all.stream().allMatch(ConnectionReport.Endpoint::isConnected);
        });
    }

    private void trade(BrokerClient client, OrderTracker orders) throws Exception {
        long id = clOrdId;
        clOrdId += 2;
        Receipt receipt = client.submit(Order.limit(id, 1, INSTRUMENT, Side.BUY, PRICE, 1))
                .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(receipt.agreeingNodes()).isEqualTo(2);
        client.submit(Order.cancel(id + 1, id, 1, INSTRUMENT, Side.BUY)).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(orders.whenDone(id).get(LIMIT.toSeconds(), TimeUnit.SECONDS).status())
                .contains(OrdStatus.CANCELED);
    }

    private void tool(String... arguments) throws Exception {
        Path output = directory.resolve("tool.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                LocalCluster.jar(Home.find(), "consensus-node").toString()));
        command.addAll(List.of(arguments));
        int exitCode = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(exitCode).as(command + "\n" + Files.readString(output)).isZero();
    }
}
