package io.sealbook.perf.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.alerts.AlertRules;
import io.sealbook.alerts.Scrapes;
import io.sealbook.facts.Facts;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.broker.RunningLoad;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four node processes under load, each with the driver that stands in for NVIDIA's: nearly all signatures go to the
 * device, and devices that fail, lie or hang are reported and replaced while the cluster goes on.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DeviceNodesIT {
    private static final String DRIVER = "gpu-native/target/stand-in";
    private static final int NODES = 4;
    private static final List<String> SCHEMES = List.of("sm2", "sm2");
    private static final LoadMarket MARKET = new LoadMarket(2, 500, SCHEMES.size());
    private static final RunningLoad.Shape SHAPE = new RunningLoad.Shape(2, 256, 0, false);
    private static final String FAULTS_METRIC = "sealbook_node_device_faults_total";
    private static final Duration WAIT = Duration.ofMinutes(10);
    /** Signatures before a node counts as loaded: the first batches of a load are small. */
    private static final double SIGNATURES_BEFORE = 1_000;

    private static final double SIGNATURES_MIN = 2_000;
    /** Of the signatures of a loaded node. */
    private static final double DEVICE_SHARE_MIN = 0.9;
    /** Blocks that the cluster commits when three of its devices have been replaced. */
    private static final int BLOCKS_AFTER = 5;

    /**
     * What becomes of the device of a node.
     *
     * @param word for the stand-in driver
     * @param reason that the node gives then
     */
    private record Fault(String word, String reason) {}

    /** By node: that of node 0 works. */
    private static final List<Fault> FAULTS = List.of(
            new Fault("", ""),
            new Fault("fail-launch", "CUDA_ERROR_LAUNCH_FAILED"),
            new Fault("wrong-verdict", "verdict differed from the CPU"),
            new Fault("hang", "the device has not answered in 30000 ms"));

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void shouldVerifyOnTheDeviceAndReplaceOneThatFailsLiesOrHangs() throws Exception {
        Path driver = Home.find().resolve(DRIVER);
        assumeTrue(
                Files.exists(driver.resolve("libcuda.so.1")),
                "needs gcc, needs g++, needs Linux on x86-64: the tests of gpu-native make the stand-in driver");
        try (LocalCluster cluster = LocalCluster.prepare(plan(driver))) {
            cluster.start();
            cluster.awaitReady(WAIT);
            assertThat(status(cluster, 0).getVerifier()).isEqualTo("gpu");
            assertThat(status(cluster, 0).getVerificationsPerSecond()).isPositive();

            try (RunningLoad load = RunningLoad.start(cluster, MARKET, SHAPE)) {
                awaitVerified(cluster, verified() + SIGNATURES_BEFORE);
                awaitDeviceVerifies(cluster);
                for (int node = 1; node < FAULTS.size(); node++) {
                    assertThat(metric(node, FAULTS_METRIC)).isZero();
                    Files.writeString(faultFile(node), FAULTS.get(node).word());
                }
                for (int node = 1; node < FAULTS.size(); node++) {
                    awaitReplacement(cluster, node);
                }
                load.awaitBlocks(BLOCKS_AFTER);
                load.end();
                load.awaitExecuted();
            }

            assertThat(status(cluster, 0).getVerifier()).isEqualTo("gpu");
            assertThat(metric(0, FAULTS_METRIC)).isZero();
            assertThatTheAlertNames(1, 2, 3);
        }
    }

    /** Small tables, because the stand-in is a thousand times slower than a device. */
    private ClusterPlan plan(Path driver) throws IOException {
        return ClusterPlan.of(
                        Home.find(),
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(NODES),
                        NODES,
                        SCHEMES,
                        MARKET.instruments())
                .withTestnetOptions(List.of(
                        "--node-property",
                        "verifier=gpu",
                        "--node-property",
                        "verifier.gpu.generator-window-bits=6",
                        "--node-property",
                        "verifier.gpu.key-window-bits=6",
                        "--node-property",
                        "verifier.gpu.answer-timeout-ms=30000"))
                .withNodeEnvironment(node -> Map.of(
                        "LD_LIBRARY_PATH",
                        driver.toString(),
                        "SEALBOOK_STAND_IN_FAULT",
                        faultFile(node).toString()));
    }

    private Path faultFile(int node) {
        return directory.resolve("fault" + node);
    }

    /**
     * Waits for a stretch of load in which node 0 leaves hardly a signature to the CPU. A busy machine may keep brokers
     * from sending: a node that verifies less than fits into a batch of the device is not loaded.
     */
    private void awaitDeviceVerifies(LocalCluster cluster) throws Exception {
        Facts.await("more than %.0f %% of the signatures on the device".formatted(DEVICE_SHARE_MIN * 100), () -> {
            double verifiedBefore = verified();
            double onDeviceBefore = onDevice(0);
            double verified = awaitVerified(cluster, verifiedBefore + SIGNATURES_MIN) - verifiedBefore;
            double onDevice = onDevice(0) - onDeviceBefore;
            System.out.printf("node 0: %.0f of %.0f signatures on the device%n", onDevice, verified);
            return onDevice / verified > DEVICE_SHARE_MIN;
        });
    }

    /** Waits until node 0 has verified this number since its start, and returns the number then. */
    private double awaitVerified(LocalCluster cluster, double count) throws Exception {
        return Facts.awaitPresent(() -> "%.0f verified signatures".formatted(count), () -> {
            cluster.checkProcesses();
            double verified = verified();
            return verified < count ? Optional.empty() : Optional.of(verified);
        });
    }

    private double verified() throws Exception {
        return metric(0, "sealbook_node_verified_signatures_total");
    }

    private double onDevice(int node) throws Exception {
        return metric(node, "sealbook_node_verifier_known_key_signatures_total")
                + metric(node, "sealbook_node_verifier_any_key_signatures_total");
    }

    /** The counter moves once, and the node's status names the reason and what verifies instead. */
    private void awaitReplacement(LocalCluster cluster, int node) throws Exception {
        Fault fault = FAULTS.get(node);
        Facts.await("the fault of node " + node + ", " + fault.word(), () -> {
            cluster.checkProcesses();
            return metric(node, FAULTS_METRIC) > 0;
        });
        NodeStatus status = status(cluster, node);
        // The faster one on the CPU: jni, unless a busy machine spoilt its measurement at the start.
        assertThat(status.getVerifier()).isIn("jni", "bc");
        assertThat(status.getVerifierFault()).contains(fault.reason());
        assertThat(admin(node, "/status")).contains('"' + status.getVerifier() + '"', fault.reason());
        assertThat(metric(node, FAULTS_METRIC)).isEqualTo(1);
    }

    private void assertThatTheAlertNames(int... nodes) throws Exception {
        Scrapes scrapes = new Scrapes();
        for (int node = 0; node < NODES; node++) {
            scrapes.add(0, "node", node, admin(node, "/metrics"));
        }
        assertThat(AlertRules.read().firing(scrapes, 0))
                .filteredOn(alert -> alert.startsWith("AcceleratorFailed"))
                .containsExactly(Arrays.stream(nodes)
                        .mapToObj(node -> "AcceleratorFailed{node=" + node + "}")
                        .toArray(String[]::new));
    }

    /** A node that waits for its device answers late. */
    private static NodeStatus status(LocalCluster cluster, int node) throws Exception {
        return Facts.awaitPresent(() -> "the status of node " + node, () -> cluster.nodeStatus(node));
    }

    private double metric(int node, String name) throws Exception {
        return admin(node, "/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not among the metrics"));
    }

    /** The admin port ends a request that takes too long, as on a busy machine; a scraper comes again. */
    private String admin(int node, String path) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(
                Files.readString(directory.resolve("cluster/node" + node).resolve("node.properties"))));
        URI uri = URI.create("http://127.0.0.1:" + properties.getProperty("admin-port") + path);
        return Facts.awaitPresent(() -> "an answer of " + uri, () -> {
            try {
                return Optional.of(
                        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                                .body());
            } catch (IOException e) {
                return Optional.empty();
            }
        });
    }
}
